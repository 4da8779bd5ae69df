export const name = '004-newest-reviews';

/** Admins read the newest reviews of all entries; without this each page would sort every review there is. */
export function statements(): string[] {
  return ['create index reviews_newest on reviews (created_at, id)'];
}
