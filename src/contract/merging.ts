import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { Id } from './fields.ts';
import { School } from './schools.ts';

const FromId = Type.Integer({ ...Id, title: 'The id from' });
const IntoId = Type.Integer({ ...Id, title: 'The id into' });

/** What a merge would do, in numbers. */
export const MergePreview = Type.Object({
  /** Entries that move as they are, and those that become one with an entry of the same category and name. */
  moving: Type.Integer(),
  joining: Type.Integer(),
  /** Reviews that everyone may see, at the school that is merged. */
  reviews: Type.Integer(),
  /** Reviews that give way to a newer one of the same person. */
  withdrawn: Type.Integer(),
});
export type MergePreview = Type.Static<typeof MergePreview>;

export const previewMerge = defineCall({
  name: 'previewMerge',
  method: 'GET',
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
