import { DAY, MINUTE } from './durations.ts';

/**
 * When many reviews of one entry arrive at once from new accounts, they are still shown and counted, and an admin
 * checks them. The product does not hide them automatically, because it cannot distinguish a campaign from a class that
 * was asked to write.
 */

/** How many days an account counts as new: having to wait deters people from creating accounts for a campaign. */
export const NEW_ACCOUNT_DAYS = 7;

/** The number of reviews from which they are a burst. Fewer hardly change a mean or a ranking. */
export const BURST_REVIEWS = 10;

/**
 * The reviews of a burst arrive within this many minutes: readers find an entry one by one, but follow a shared link
 * together.
 */
export const BURST_MINUTES = 10;

export const BURST_WINDOW = BURST_MINUTES * MINUTE;

/** Whether an account is new when it posts. @param times in milliseconds since 1970 */
export function isNewAccount({ joinedAt, postedAt }: { joinedAt: number; postedAt: number }): boolean {
  return postedAt - joinedAt < NEW_ACCOUNT_DAYS * DAY;
}
