import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { CategoryField, Id } from './fields.ts';

const CategorySummary = Type.Object({
  category: CategoryField,
  label: Type.String(),
  entries: Type.Integer(),
  /** Null without reviews. */
  averageRating: Type.Union([Type.Number(), Type.Null()]),
  totalReviews: Type.Integer(),
  recentReviews: Type.Integer(),
  isCovered: Type.Boolean(),
});

/** A school with what its reviews say in each category, in the order of the registry. */
export const SchoolSummary = Type.Object({
  id: Id,
  schoolName: Type.String(),
  location: Type.String(),
  totalReviews: Type.Integer(),
  categories: Type.Array(CategorySummary),
  coverage: Type.Object({ covered: Type.Integer(), of: Type.Integer() }),
});
export type SchoolSummary = Type.Static<typeof SchoolSummary>;

export const getSchoolSummary = defineCall({
  name: 'getSchoolSummary',
  method: 'GET',
  summary: 'Mean and number of the reviews of one school in each category, and which categories recent reviews cover',
  access: 'everyone',
  refuses: [404],
  params: Type.Object({ schoolId: Type.Integer({ ...Id, title: 'The schoolId' }) }),
  answer: SchoolSummary,
});

export const COMPARISON_CALLS = [getSchoolSummary];
