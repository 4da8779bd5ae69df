import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Connection } from '../database/database.ts';
import { hasRow, idsOf } from '../database/found-rows.ts';
import { onSameSchool } from '../database/review-tables.ts';
import type { Tables } from '../database/tables.ts';
import { allReviews, type EntryRefs, visibleReviews, withEntries, withItems } from './queries.ts';

/** Whether reviews of an entry are being checked, as 1 or 0. */
export function isBeingChecked(db: Connection, { id, schoolId }: EntryRefs): RawBuilder<number> {
  return existsAsNumber(openBurstItems(db).where('burst_entry_id', '=', id).where('school_id', '=', schoolId));
}

/** Whether reviews of any of several entries are being checked, as 1 or 0. */
export function areBeingChecked(db: Connection, { ids, schoolId }: EntriesOfSchool): RawBuilder<number> {
  return existsAsNumber(openBurstItems(db).where('burst_entry_id', 'in', ids).where('school_id', '=', schoolId));
}

/** Entries of one school. */
export interface EntriesOfSchool {
  readonly ids: RawBuilder<number>[] | SelectQueryBuilder<Tables, 'review_counts', { entry_id: number }>;
  readonly schoolId: RawBuilder<number>;
}

/** Whether a review of the outer query is being checked itself, as 1 or 0. */
export function isReviewBeingChecked(db: Connection): RawBuilder<number> {
  return existsAsNumber(
    openBurstItems(db)
      .where('review_id', '=', sql.ref<number>('reviews.id'))
      .where('school_id', '=', sql.ref<number>('reviews.school_id')),
  );
}

const existsAsNumber = (items: ReturnType<typeof openBurstItems>) => sql<number>`cast(exists ${items} as integer)`;

/** The items of the reviews that are being checked. */
function openBurstItems(db: Connection) {
  return db
    .selectFrom('moderation_items')
    .select('review_id')
    .where('burst_entry_id', 'is not', null)
    .where('opened_at', 'is not', null);
}

/** Whether reviews of any entry of a school are being checked. */
export function isSchoolBeingChecked(db: Connection, schoolId: number): Promise<boolean> {
  return hasRow(openBurstItems(db).where('school_id', '=', schoolId).limit(1));
}

/** For each school, the number of reviews of a category that are being checked, and the sum of their half-stars. */
export function tallyBeingChecked(db: Connection, kind: RawBuilder<string>) {
  return withEntries(visibleReviews(db))
    .innerJoin('moderation_items as item', onSameSchool('item.review_id', 'reviews.id'))
    .select((select) => [
      'reviews.school_id',
      select.fn.countAll<number>().as('review_count'),
      select.fn.sum<number>('reviews.half_stars').as('half_star_sum'),
    ])
    .where('item.burst_entry_id', 'is not', null)
    .where('item.opened_at', 'is not', null)
    .where('entries.kind', '=', kind)
    .groupBy('reviews.school_id');
}

/** Reviews that are being checked although they are not visible, or as part of a burst of another entry. */
export async function findWrongBursts(db: Connection, limit: number): Promise<number[]> {
  const rows = await withItems(allReviews(db))
    .select('reviews.id')
    .where('item.burst_entry_id', 'is not', null)
    .where('item.opened_at', 'is not', null)
    .where((row) =>
      row.or([
        row('item.burst_entry_id', '!=', row.ref('reviews.entry_id')),
        row('reviews.hidden_at', 'is not', null),
        row('reviews.withdrawn_at', 'is not', null),
      ]),
    )
    .limit(limit)
    .execute();
  return idsOf(rows);
}
