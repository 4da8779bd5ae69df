import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { CATEGORIES } from './categories.ts';
import { Id, Instant, pageQuery } from './fields.ts';
import { Reason } from './reasons.ts';

/** One line of the public list of hidden and restored reviews. It has neither text, author nor entry. */
export const Removal = Type.Object({
  /** The number of the line, counted from 1 without gaps; not the id of the review. */
  id: Id,
  /** Truncated to the minute. Lines that earlier versions wrote have the exact time. */
  at: Instant,
  act: Type.Enum(['hidden', 'restored']),
  /** For a restored review: the reason for which it had been hidden. */
  reason: Reason,
  /** The rating when it was hidden, rounded up to whole stars. */
  stars: Type.Integer({ minimum: 1, maximum: 5 }),
  category: Type.Enum(CATEGORIES.map(({ kind }) => kind)),
  /** A hash of the previous hash and this line, so that a changed or missing line breaks the chain. */
  hash: Type.String(),
});
export type Removal = Type.Static<typeof Removal>;

export const getRemovals = defineCall({
  name: 'getRemovals',
  summary: 'Reviews that were hidden or restored, newest first, as a chain of hashes',
  access: 'everyone',
  query: Type.Object(pageQuery(1)),
  answer: Type.Array(Removal),
});

export const getRemovalTotals = defineCall({
  name: 'getRemovalTotals',
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
