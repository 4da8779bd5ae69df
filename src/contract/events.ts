import * as Type from 'typebox';
import { Instant } from './fields.ts';
import { Reason } from './reasons.ts';

/** What can happen to a review. */
const EVENTS = [
  'posted',
  'edited',
  'reported',
  'hidden',
  'restored',
  'kept',
  'appealed',
  'appealRefused',
  'merged',
] as const;

/** One event of a review, as its author sees it. */
export const ReviewEvent = Type.Object({
  at: Instant,
  event: Type.Enum([...EVENTS]),
  /** The reason for hiding. */
  reason: Type.Optional(Reason),
});
export type ReviewEvent = Type.Static<typeof ReviewEvent>;
export type EventName = ReviewEvent['event'];
