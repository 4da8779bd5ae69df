import type { Connection } from '../../database/database.ts';
import { readInSteps } from '../../database/steps.ts';
import { REVIEW_COLUMNS, reviewOf } from '../../reviews/review-rows.ts';
import { currentEntries, currentSchools, visibleReviewsOfAll } from '../../visibility/queries.ts';

/** How many rows one statement reads. */
const BATCH = 500;

interface DumpOptions {
  readonly withUsernames: boolean;
}

/** Every school and entry and every visible review, each as a document with nothing that is not public. */
export async function* readDump(
  db: Connection,
  { withUsernames }: DumpOptions,
): AsyncGenerator<{ type: string } & Record<string, unknown>> {
  const schools = readInSteps(BATCH, (after, limit) =>
    currentSchools(db)
      .select(['id', 'school_name as schoolName', 'location', 'description', 'aliases'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
  for await (const rows of schools) {
    for (const { aliases, ...school } of rows) yield { type: 'school', ...school, aliases: JSON.parse(aliases) };
  }

  const entries = readInSteps(BATCH, (after, limit) =>
    currentEntries(db)
      .select(['id', 'kind as category', 'school_id as schoolId', 'name', 'description'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
  for await (const rows of entries) for (const entry of rows) yield { type: 'entry', ...entry };

  const reviews = readInSteps(BATCH, (after, limit) =>
    visibleReviewsOfAll(db)
      .select([...REVIEW_COLUMNS, 'entry_id as entryId', 'school_id as schoolId'])
      .where('reviews.id', '>', after)
      .orderBy('reviews.id')
      .limit(limit)
      .execute(),
  );
  for await (const rows of reviews) {
    for (const { entryId, schoolId, ...row } of rows) {
      const { username, ...review } = reviewOf(row);
      const signature = withUsernames && username !== undefined ? { username } : {};
      yield { type: 'review', entryId, schoolId, ...review, ...signature };
    }
  }
}
