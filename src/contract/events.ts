import * as Type from 'typebox';
import { Instant } from './fields.ts';
import { Reason } from './reasons.ts';

/** One event of a review, as its author sees it. */
export const ReviewEvent = Type.Object({
  at: Instant,
  event: Type.Enum([
    'posted',
    'edited',
    'reported',
    'hidden',
    'restored',
    'kept',
    'appealed',
    'appealRefused',
    'merged',
  ]),
  /** The reason for hiding. */
  reason: Type.Optional(Reason),
});
export type ReviewEvent = Type.Static<typeof ReviewEvent>;
export type EventName = ReviewEvent['event'];

/**
 * How far the appeals of a hidden review are. One appeal is possible each time the review is hidden, and another one
 * when it is edited after a refusal.
 */
export type AppealStep = 'possible' | 'waiting' | 'after an edit' | 'over';

/** @param events of a hidden review, oldest first; the last hiding is not among them while it is held */
export function findAppealStep(events: readonly { readonly event: EventName }[]): AppealStep {
  const names = events.map(({ event }) => event);
  const sinceHidden = names.slice(Math.max(names.lastIndexOf('hidden'), names.lastIndexOf('restored')) + 1);
  const appeals = sinceHidden.filter((name) => name === 'appealed').length;
  const refusedAt = sinceHidden.lastIndexOf('appealRefused');
  if (appeals === 0) return 'possible';
  if (sinceHidden.lastIndexOf('appealed') > refusedAt) return 'waiting';
  if (appeals > 1) return 'over';
  return sinceHidden.lastIndexOf('edited') > refusedAt ? 'possible' : 'after an edit';
}
