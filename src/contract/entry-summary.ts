import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { CategoryField, Id, Mean, SchoolId } from './fields.ts';
import { Relation } from './reviews.ts';

const Count = Type.Integer({ minimum: 0 });

/** The figures of all reviews of an entry, or of a category at a school, and of recent and earlier reviews apart. */
const EntrySummary = Type.Object({
  averageRating: Mean,
  totalReviews: Count,
  /** The number of reviews with 0.5, 1, … 5 stars. */
  histogram: Type.Array(Count),
  recent: Type.Object({ months: Count, averageRating: Mean, totalReviews: Count }),
  earlier: Type.Object({ averageRating: Mean, totalReviews: Count }),
  /** The change of the mean; null if one of the two periods has too few reviews. */
  change: Type.Union([Type.Literal('up'), Type.Literal('down'), Type.Literal('steady'), Type.Null()]),
  /** The number of reviews for each relation. All reviews are counted, even if the request names a relation. */
  relations: Type.Object({ student: Count, alumnus: Count, parent: Count, educator: Count, undeclared: Count }),
  isBeingChecked: Type.Boolean(),
});
export type EntrySummary = Type.Static<typeof EntrySummary>;

export const getEntrySummary = defineCall({
  name: 'getEntrySummary',
  summary: 'What the reviews of an entry amount to: mean, histogram, the last 24 months and before, who wrote them',
  access: 'everyone',
  refuses: [404],
  params: Type.Object({ entryId: Id }),
  query: Type.Object({ relation: Type.Optional(Relation) }),
  answer: EntrySummary,
});

export const getCategorySummary = defineCall({
  name: 'getCategorySummary',
  summary: 'The same of the reviews of all entries of a category at a school',
  access: 'everyone',
  refuses: [404],
  params: Type.Object({ schoolId: SchoolId }),
  query: Type.Object({ category: CategoryField, relation: Type.Optional(Relation) }),
  answer: EntrySummary,
});
