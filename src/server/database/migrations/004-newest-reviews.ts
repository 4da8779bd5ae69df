export const name = '004-newest-reviews';

/** For the admins' list of the newest reviews of all entries, which would otherwise sort all reviews for each page. */
export function statements(): string[] {
  return ['create index reviews_newest on reviews (created_at, id)'];
}
