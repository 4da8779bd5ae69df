import { checkCounts } from '../../src/server/commands/count-checks/check.ts';
import { checkRemovals } from '../../src/server/reviews/removals/check.ts';
import { openBurstItems } from '../../src/server/reviews/reports/queries.ts';
import { findEntryKey } from '../../src/server/visibility/entry-queries.ts';
import { type Answer, call } from './call.ts';
import { category, createEntry, createUser, postReview, type RunningProduct, type TestUser } from './rows.ts';

/** A review of a new entry, by a new user unless told. */
export async function createReviewOf(product: RunningProduct, by?: TestUser, rating = 4) {
  const author = by ?? (await createUser(product));
  const entry = await createEntry(product, category);
  const { body } = await postReview(product, category, entry.id, author, { rating });
  return { author, entry, reviewId: body.id as number };
}

/** Decides about a review, as an admin. */
export function moderate(
  product: RunningProduct,
  admin: TestUser,
  reviewId: number,
  body: { action: string; reason?: string; note?: string; isHeld?: boolean; unchangedSince?: string },
): Promise<Answer> {
  return call(product, `PUT /auth/moderateReview/${reviewId}`, { token: admin.token, body });
}

export const hide = (product: RunningProduct, admin: TestUser, reviewId: number, reason = 'spam') =>
  moderate(product, admin, reviewId, { action: 'hide', reason });

export const report = (
  product: RunningProduct,
  user: TestUser,
  reviewId: number,
  body: { reason: string; note?: string } = { reason: 'fake' },
) => call(product, `POST /auth/reportReview/${reviewId}`, { token: user.token, body });

/** Makes reviews of an entry a burst, however few they are. */
export async function putIntoBurst({ app, clock }: RunningProduct, entryId: number, reviewIds: readonly number[]) {
  await app.database.write(async (db) => {
    const entry = await findEntryKey(db, entryId);
    if (!entry) throw new Error(`there is no entry ${entryId}`);
    await openBurstItems(db, entry, reviewIds, Date.now() + clock.ahead);
  });
}

/** Makes held hides due, and waits until the mails to their authors are sent. */
export async function endHolding({ app }: RunningProduct): Promise<void> {
  await app.database.write((db) => db.updateTable('held_hides').set({ due_at: 0 }).execute());
  await app.outbox.flush();
}

/** Lists faults of counts, chain and states. There must be none, also after concurrent calls. */
export async function findFaults({ app }: RunningProduct): Promise<string[]> {
  const { read } = app.database;
  return [...(await checkCounts(read)).faults, ...(await checkRemovals(read)).faults];
}

/** Stops a product. @throws when its counts, chain and states are not as its rows say */
export async function checkAndStop(product: RunningProduct & { stop(): Promise<void> }): Promise<void> {
  const faults = await findFaults(product);
  await product.stop();
  if (faults.length > 0) throw new Error(faults.join('; '));
}
