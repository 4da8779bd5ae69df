import { toStars } from '../../contract/stars.ts';
import type { Connection } from '../database/database.ts';
import { type readEntries, readNewestReviews } from './queries.ts';

const REVIEWS_PER_ENTRY = 3;
/** The maximum length of the indexed reviews of a school, so that hundreds of thousands of reviews fit into memory. */
const REVIEW_TEXT_MAX = 3_000;

/** A review that the search can find, with its category and entry. */
export interface IndexedReview {
  readonly reviewId: number;
  readonly category: string;
  readonly entryId: number;
  readonly entryName: string;
  readonly review: string;
  readonly rating: number;
  /** How many characters of it are indexed. */
  readonly indexed: number;
}

type EntryRow = Awaited<ReturnType<typeof readEntries>>[number];

/** The reviews of a school to index: the newest of each entry. Each category gets an equal share of the text. */
export async function readIndexedReviews(db: Connection, entries: readonly EntryRow[]): Promise<IndexedReview[]> {
  const found: IndexedReview[] = [];
  const reviewed = entries.filter(({ reviewCount }) => reviewCount > 0);
  const byKind = Map.groupBy(reviewed, ({ kind }) => kind);
  for (const [category, own] of byKind) {
    let left = Math.floor(REVIEW_TEXT_MAX / byKind.size);
    for (const { id, name } of own) {
      if (left <= 0) break;
      for (const row of await readNewestReviews(db, id, REVIEWS_PER_ENTRY)) {
        const indexed = Math.max(0, Math.min(left, row.review.length));
        const about = { category, entryId: id, entryName: name };
        found.push({ reviewId: row.id, ...about, review: row.review, rating: toStars(row.halfStars), indexed });
        left -= indexed;
      }
    }
  }
  return found;
}
