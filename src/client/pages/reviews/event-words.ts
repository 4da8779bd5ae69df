import type { EventName, ReviewEvent } from '../../../contract/events.ts';
import { REASONS } from '../../../contract/reasons.ts';

const WORDS: Record<EventName, string> = {
  posted: 'Posted',
  edited: 'Edited',
  reported: 'Reported',
  hidden: 'Hidden',
  restored: 'Restored',
  kept: 'Kept',
  appealed: 'Appealed',
  appealRefused: 'Appeal refused',
  merged: 'Merged',
};

/** An event of a review, for its author: "Hidden: It is fake". */
export function eventWords({ event, reason }: ReviewEvent): string {
  return reason === undefined ? WORDS[event] : `${WORDS[event]}: ${REASONS[reason]}`;
}

interface Decided {
  readonly isHidden: boolean;
  readonly isWithdrawn: boolean;
  readonly isDeleted: boolean;
  readonly events: readonly ReviewEvent[];
}

/** Whether an appeal waits for its decision. */
export const isAppealed = ({ isHidden, isWithdrawn, events }: Decided) =>
  isHidden && !isWithdrawn && events.at(-1)?.event === 'appealed';

/** Whether the author can appeal: once each time that the review is hidden. */
export function canAppeal(review: Decided): boolean {
  const last = review.events.findLast(({ event }) => event === 'hidden' || event === 'appealed');
  return review.isHidden && !review.isWithdrawn && !review.isDeleted && last?.event === 'hidden';
}
