import type { Connection } from '../../database/database.ts';
import { REVIEW_COLUMNS, reviewOf } from '../../reviews/review-rows.ts';
import { currentEntries, currentSchools, visibleReviews } from '../../visibility/queries.ts';

/** How many rows one statement reads. */
const BATCH = 500;

/** Reads rows in the order of their ids, so that memory stays bounded. */
async function* byId<Row extends { id: number }>(read: (afterId: number) => Promise<Row[]>): AsyncGenerator<Row> {
  let after = 0;
  for (;;) {
    const rows = await read(after);
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}

interface DumpOptions {
  readonly withUsernames: boolean;
}

/** Every school and entry and every visible review, each as a document with nothing that is not public. */
export async function* readDump(
  db: Connection,
  { withUsernames }: DumpOptions,
): AsyncGenerator<{ type: string } & Record<string, unknown>> {
  const schools = byId((after) =>
    currentSchools(db)
      .select(['id', 'school_name as schoolName', 'location', 'description', 'aliases'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute(),
  );
  for await (const { aliases, ...school } of schools) yield { type: 'school', ...school, aliases: JSON.parse(aliases) };

  const entries = byId((after) =>
    currentEntries(db)
      .select(['id', 'kind as category', 'school_id as schoolId', 'name', 'description'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute(),
  );
  for await (const entry of entries) yield { type: 'entry', ...entry };

  const reviews = byId((after) =>
    visibleReviews(db)
      .select([...REVIEW_COLUMNS, 'entry_id as entryId', 'school_id as schoolId'])
      .where('reviews.id', '>', after)
      .orderBy('reviews.id')
      .limit(BATCH)
      .execute(),
  );
  for await (const { entryId, schoolId, ...row } of reviews) {
    const { username, ...review } = reviewOf(row);
    const signature = withUsernames && username !== undefined ? { username } : {};
    yield { type: 'review', entryId, schoolId, ...review, ...signature };
  }
}
