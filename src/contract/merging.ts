import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { Id } from './fields.ts';
import { School } from './schools.ts';

const FromId = Type.Integer({ ...Id, title: 'The id from' });
const IntoId = Type.Integer({ ...Id, title: 'The id into' });

/**
 * The effects of a merge, in numbers. The number of reviews that would be withdrawn is left out: it would reveal, for
 * any two entries, whether one person reviewed both.
 */
export const MergePreview = Type.Object({
  /**
   * `moving`: entries that move unchanged. `joining`: entries that are joined with one of the same category and name.
   */
  moving: Type.Integer(),
  joining: Type.Integer(),
  /** The public reviews of the school that will disappear. */
  reviews: Type.Integer(),
});
export type MergePreview = Type.Static<typeof MergePreview>;

export const previewMerge = defineCall({
  name: 'previewMerge',
  summary: 'What merging one school into another would do, in numbers',
  access: 'admin',
  refuses: [404],
  query: Type.Object({ from: FromId, into: IntoId }),
  answer: MergePreview,
});

export const mergeSchools = defineCall({
  name: 'mergeSchools',
  method: 'POST',
  summary: 'Merge a school into another one, which takes over its entries, reviews and addresses',
  access: 'admin',
  refuses: [404],
  body: Type.Object({ from: FromId, into: IntoId }),
  answer: School,
});

export const MERGING_CALLS = [previewMerge, mergeSchools];
