import { DAY, MINUTE } from '../../../contract/durations.ts';
import { moderateReview } from '../../../contract/moderation.ts';
import type { ReasonKey } from '../../../contract/reasons.ts';
import { recordAdmin } from '../../audit/queries.ts';
import type { Connection } from '../../database/database.ts';
import type { EntryKey } from '../../database/review-tables.ts';
import { BY_NEW_ACCOUNT, trackBurst } from '../../reviews/bursts/queries.ts';
import { insertReview, updateReview } from '../../reviews/queries.ts';
import { insertAppeal, insertReport, openItem } from '../../reviews/reports/queries.ts';
import { hideReview, keepReview, lockReview, recordEvent, type StoredReview } from '../../reviews/states/queries.ts';

const NOTE = 'Sample data.';

/** Something that happens to a sample review. All texts say that they are samples. */
export type StoryStep = { readonly daysAgo: number } & (
  | { readonly reported: ReasonKey; readonly by: string; readonly note?: string }
  | { readonly hidden: ReasonKey }
  | { readonly kept: true }
  | { readonly edited: string }
  | { readonly appealed: string }
);

/** A review and what happened to it. */
export interface ReviewStory {
  readonly reviewId: number;
  readonly userId: number;
  readonly rating: number;
  readonly username: string | null;
  readonly story: readonly StoryStep[];
}

/** Reviews that arrive within minutes from new accounts. Each says that it is a sample. */
export interface SampleBurst {
  daysAgo: number;
  reviews: { author: string; rating: number; review: string }[];
}

interface StoryTools {
  readonly adminId: number;
  readonly now: number;
  readonly joinAuthor: (username: string) => Promise<number>;
}

/** Performs the steps of all stories in the order of their times, so that the public lines are in that order too. */
export async function performStories(db: Connection, stories: readonly ReviewStory[], tools: StoryTools) {
  const steps = stories.flatMap((review) => review.story.map((step) => ({ review, step })));
  for (const { review, step } of steps.sort((one, other) => other.step.daysAgo - one.step.daysAgo)) {
    const stored = await lockReview(db, review.reviewId);
    if (!stored) throw new Error(`The sample review ${review.reviewId} is not there.`);
    await performStep(db, { ...review, stored }, step, tools);
  }
}

async function performStep(
  db: Connection,
  { stored, userId, rating, username }: ReviewStory & { readonly stored: StoredReview },
  step: StoryStep,
  { adminId, now, joinAuthor }: StoryTools,
): Promise<void> {
  const at = Math.round(now - step.daysAgo * DAY);
  const record = (action: 'hide' | 'keep', reason?: ReasonKey) => {
    const subject = { kind: 'review', id: stored.id } as const;
    return recordAdmin(db, { userId: adminId }, moderateReview, subject, at, { action, reason, note: NOTE });
  };
  if ('reported' in step) {
    await insertReport(
      db,
      stored,
      { userId: await joinAuthor(step.by), reason: step.reported, note: step.note ?? null },
      at,
    );
    await openItem(db, stored, at);
    await recordEvent(db, stored, 'reported', at);
  } else if ('hidden' in step) {
    await hideReview(db, stored, step.hidden, at);
    await record('hide', step.hidden);
  } else if ('kept' in step) {
    await keepReview(db, stored, at);
    await record('keep');
  } else if ('edited' in step) {
    await updateReview(db, stored, userId, { rating, review: step.edited, username }, at);
  } else {
    await insertAppeal(db, stored, step.appealed, at);
    await openItem(db, stored, at);
    await recordEvent(db, stored, 'appealed', at);
  }
}

/** Posts a burst, one review every half minute, as if by people who have just signed up. */
export async function postBurst(
  db: Connection,
  entry: EntryKey,
  { daysAgo, reviews }: SampleBurst,
  joinAuthor: (username: string, joinedAt: number) => Promise<number>,
  now: number,
): Promise<void> {
  for (const [index, { author, rating, review }] of reviews.entries()) {
    const postedAt = now - daysAgo * DAY + index * (MINUTE / 2);
    const userId = await joinAuthor(author, postedAt - DAY / 24);
    const written = { rating, review, username: author };
    const posted = await insertReview(db, entry, userId, written, postedAt, BY_NEW_ACCOUNT.counted);
    if (!posted) throw new Error(`The sample author ${author} has two reviews of one entry.`);
    await trackBurst(db, entry, posted.id, postedAt);
  }
}
