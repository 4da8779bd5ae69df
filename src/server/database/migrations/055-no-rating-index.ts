import type { ColumnTypes } from '../migrate.ts';

export const name = '055-no-rating-index';

/**
 * On SQLite a list that is sorted by rating is sorted within the index by time: of the three places in which a post
 * changed an index, this was one, and a third of its processor time. PostgreSQL keeps its index, because its entries may
 * have a hundred times as many reviews. See docs/decisions/017-reading-reviews.md.
 */
export const statements = ({ engine }: ColumnTypes): string[] =>
  engine === 'sqlite' ? ['drop index reviews_by_rating'] : [];
