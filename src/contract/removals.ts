import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { CATEGORIES } from './categories.ts';
import { Id, Instant, pageQuery } from './fields.ts';
import { Reason } from './reasons.ts';

/** A line about a review that was hidden or restored: neither its text nor its author nor what it is about. */
export const Removal = Type.Object({
  /** From 1, without gaps; never a review's. */
  id: Id,
  at: Instant,
  act: Type.Enum(['hidden', 'restored']),
  /** A line about a restored review carries the reason of the hiding that it ends. */
  reason: Reason,
  /** Whole ones, at the time. */
  stars: Type.Integer({ minimum: 1, maximum: 5 }),
  category: Type.Enum(CATEGORIES.map(({ kind }) => kind)),
  /** Of the line before and of this one, so that no line can be changed or taken out unnoticed. */
  hash: Type.String(),
});
export type Removal = Type.Static<typeof Removal>;

export const getRemovals = defineCall({
  name: 'getRemovals',
  method: 'GET',
  summary: 'Reviews that were hidden or restored, newest first, as a chain of hashes',
  access: 'everyone',
  query: Type.Object(pageQuery(1)),
  answer: Type.Array(Removal),
});

export const getRemovalTotals = defineCall({
  name: 'getRemovalTotals',
  method: 'GET',
  summary: 'How many reviews of each rating were posted, and how many of them are hidden now',
  access: 'everyone',
  answer: Type.Object({
    stars: Type.Array(
      Type.Object({
        stars: Type.Integer({ minimum: 1, maximum: 5 }),
        posted: Type.Integer(),
        hidden: Type.Integer(),
      }),
    ),
  }),
});

export const REMOVAL_CALLS = [getRemovals, getRemovalTotals];
