import { type AppealStep, type EventName, findAppealStep, type ReviewEvent } from '../../../contract/events.ts';
import type { MyReview } from '../../../contract/my-reviews.ts';
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

/** How far the appeals of a review are; undefined for one that cannot be appealed. */
export const appealStepOf = ({ isHidden, isWithdrawn, isDeleted, events }: MyReview): AppealStep | undefined =>
  isHidden && !isWithdrawn && !isDeleted ? findAppealStep(events) : undefined;
