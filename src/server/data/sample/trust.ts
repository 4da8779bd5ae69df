import { moderateReview } from '../../../contract/moderation.ts';
import type { ReasonKey } from '../../../contract/reasons.ts';
import { recordAdmin } from '../../audit/queries.ts';
import type { Connection } from '../../database/database.ts';
import type { EntryKey } from '../../database/review-tables.ts';
import { insertAppeal, openItem } from '../../reviews/reports/queries.ts';
import { BY_NEW_ACCOUNT, noteNewAccount } from '../../reviews/bursts/queries.ts';
import { insertReview } from '../../reviews/queries.ts';
import { hideReview, lockReview, recordEvent } from '../../reviews/states/queries.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const NOTE = 'Sample data.';

/** How a sample review was hidden. Its text and the appeal say that they are samples. */
export interface SampleHiding {
  reason: ReasonKey;
  daysAgo: number;
  appeal?: { text: string; daysAgo: number };
}

export type ToHide = SampleHiding & { reviewId: number };

/** Reviews that arrive within minutes from new accounts. Each says that it is a sample. */
export interface SampleBurst {
  daysAgo: number;
  reviews: { author: string; rating: number; review: string }[];
}

/** Hides the samples in the order of their times, so that the public lines are in order too. */
export async function hideSamples(
  db: Connection,
  samples: readonly ToHide[],
  adminId: number,
  now: number,
): Promise<void> {
  const admin = { userId: adminId };
  for (const { reviewId, reason, daysAgo, appeal } of samples.toSorted((one, other) => other.daysAgo - one.daysAgo)) {
    const review = await lockReview(db, reviewId);
    if (!review) throw new Error(`The sample review ${reviewId} is not there.`);
    const hiddenAt = now - daysAgo * DAY;
    await hideReview(db, review, reason, hiddenAt);
    const subject = { kind: 'review', id: reviewId } as const;
    await recordAdmin(db, admin, moderateReview, subject, hiddenAt, { action: 'hide', reason, note: NOTE });
    if (!appeal) continue;
    const appealedAt = now - appeal.daysAgo * DAY;
    await insertAppeal(db, review, appeal.text, appealedAt);
    await openItem(db, review, appealedAt);
    await recordEvent(db, review, 'appealed', appealedAt);
  }
}

/** Posts a burst, one review every half minute, as if by people who have just signed up. */
export async function postBurst(
  db: Connection,
  entry: EntryKey,
  { daysAgo, reviews }: SampleBurst,
  join: (username: string, joinedAt: number) => Promise<number>,
  now: number,
): Promise<void> {
  for (const [index, { author, rating, review }] of reviews.entries()) {
    const postedAt = now - daysAgo * DAY + index * (MINUTE / 2);
    const userId = await join(author, postedAt - DAY / 24);
    const written = { rating, review, username: author };
    const posted = await insertReview(db, entry, userId, written, postedAt, BY_NEW_ACCOUNT.counted);
    if (!posted) throw new Error(`The sample author ${author} has two reviews of one entry.`);
    await noteNewAccount(db, entry, posted.id, postedAt);
  }
}
