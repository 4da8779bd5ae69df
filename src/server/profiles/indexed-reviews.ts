import { toStars } from '../../contract/stars.ts';
import type { Connection } from '../database/database.ts';
import { type readEntries, readNewestReviews } from './queries.ts';
import { cutAtWord } from './quotations.ts';

/**
 * The maximum length of all indexed reviews of a school together, so that hundreds of thousands of reviews fit into
 * memory.
 */
const REVIEW_TEXT_MAX = 3_000;

/**
 * How much of a review can be quoted at least, even if the index has no room for it. Ordinary reviews are shorter;
 * reading longer ones to the end would take ten times as long for the same quotations.
 */
const QUOTABLE_MIN = 1_000;

/** A review that can be quoted, with its category and entry. */
export interface IndexedReview {
  readonly reviewId: number;
  readonly category: string;
  readonly entryId: number;
  readonly entryName: string;
  /** The quotable part: the whole review unless it is long. */
  readonly review: string;
  readonly rating: number;
}

type EntryRow = Awaited<ReturnType<typeof readEntries>>[number];

/** A category of a school, with the entries whose reviews are not read yet. */
interface UnreadCategory {
  readonly entries: EntryRow[];
  /** How many more characters of its reviews can be indexed. */
  room: number;
}

/** The categories of some schools. Those of one school get equal shares of the text. */
function listUnread(entries: readonly EntryRow[]): UnreadCategory[] {
  const reviewed = entries.filter(({ reviewCount }) => reviewCount > 0);
  const bySchool = Map.groupBy(reviewed, ({ schoolId }) => schoolId);
  return [...bySchool.values()].flatMap((ofSchool) => {
    const byKind = Map.groupBy(ofSchool, ({ kind }) => kind);
    const room = Math.floor(REVIEW_TEXT_MAX / byKind.size);
    return [...byKind.values()].map((ofKind) => ({ entries: [...ofKind], room }));
  });
}

interface ReviewOfSchool extends IndexedReview {
  readonly schoolId: number;
  /** How many characters of the review are indexed. */
  readonly indexedLength: number;
}

/**
 * The reviews of some schools to index: the newest of their entries, as far as there is room. Each query reads the
 * reviews of one more entry of every category that still has room: after the first query, few have.
 * @param entries of the schools, in the order in which their reviews are read
 */
async function readReviews(db: Connection, entries: readonly EntryRow[]): Promise<ReviewOfSchool[]> {
  const read: ReviewOfSchool[] = [];
  let open = listUnread(entries);
  while (open.length > 0) {
    const byEntry = new Map(open.map((unread) => [unread.entries.shift() as EntryRow, unread]));
    const rows = await readNewestReviews(db, [...byEntry.keys()]);
    const newest = Map.groupBy(rows, ({ entryId }) => entryId);
    for (const [{ id, name, kind, schoolId }, unread] of byEntry) {
      for (const row of newest.get(id) ?? []) {
        const indexedLength = Math.max(0, Math.min(unread.room, row.review.length));
        const about = { schoolId, category: kind, entryId: id, entryName: name, indexedLength };
        read.push({ reviewId: row.id, ...about, review: row.review, rating: toStars(row.halfStars) });
        unread.room -= indexedLength;
      }
    }
    open = open.filter((unread) => unread.room > 0 && unread.entries.length > 0);
  }
  return read;
}

/** The reviews of a school that can be quoted: those that the search can find, and the others of their entries. */
export async function readIndexedReviews(db: Connection, entries: readonly EntryRow[]): Promise<IndexedReview[]> {
  const reviews = await readReviews(db, entries);
  return reviews.map(({ schoolId: _schoolId, indexedLength, review, ...about }) => ({
    ...about,
    review: cutAtWord(review, Math.max(indexedLength, QUOTABLE_MIN)),
  }));
}

/** The indexed text of the reviews of each school. */
export async function readReviewTexts(db: Connection, entries: readonly EntryRow[]): Promise<Map<number, string>> {
  const bySchool = Map.groupBy(await readReviews(db, entries), ({ schoolId }) => schoolId);
  return new Map(
    [...bySchool].map(([id, reviews]) => [
      id,
      reviews.map(({ review, indexedLength }) => review.slice(0, indexedLength)).join(' '),
    ]),
  );
}
