/**
 * When many reviews of one entry arrive at once from new accounts, they are shown and counted, and an admin looks at
 * them: nothing tells a campaign from a class that was asked to write, so the product hides nothing by itself.
 */

const MINUTE = 60_000;

/** An account is new for so long: whoever prepares accounts for a campaign has to wait or to be looked at. */
export const NEW_ACCOUNT_DAYS = 7;

/** From so many reviews on: fewer change neither a mean nor a ranking of an entry that has been read for a while. */
export const BURST_REVIEWS = 10;

/** All of them within so many minutes: readers of one entry come singly, those of a link passed around together. */
export const BURST_MINUTES = 10;

/** In milliseconds. */
export const BURST_WINDOW = BURST_MINUTES * MINUTE;

/** Whether an account is new when it posts. @param times in milliseconds since 1970 */
export function isNewAccount({ joinedAt, postedAt }: { joinedAt: number; postedAt: number }): boolean {
  return postedAt - joinedAt < NEW_ACCOUNT_DAYS * 24 * 60 * MINUTE;
}
