import type { Connection } from '../../database/database.ts';
import { readInSteps } from '../../database/paging.ts';
import { REVIEW_COLUMNS, reviewOf } from '../../reviews/review-rows.ts';
import { currentEntries, currentSchools, visibleReviewsOfAll } from '../../visibility/queries.ts';

/** How many rows one statement reads. */
const BATCH_SIZE = 500;

/** Every school and entry and every visible review, each as a document with nothing that is not public. */
export async function* readDump(
  db: Connection,
  { withUsernames }: { readonly withUsernames: boolean },
): AsyncGenerator<{ type: string } & Record<string, unknown>> {
  const schools = currentSchools(db).select(['id', 'school_name as schoolName', 'location', 'description', 'aliases']);
  for await (const rows of readInSteps(schools, BATCH_SIZE)) {
    for (const { aliases, ...school } of rows) yield { type: 'school', ...school, aliases: JSON.parse(aliases) };
  }

  const entries = currentEntries(db).select(['id', 'kind as category', 'school_id as schoolId', 'name', 'description']);
  for await (const rows of readInSteps(entries, BATCH_SIZE))
    for (const entry of rows) yield { type: 'entry', ...entry };

  const reviews = visibleReviewsOfAll(db).select([...REVIEW_COLUMNS, 'entry_id as entryId', 'school_id as schoolId']);
  for await (const rows of readInSteps(reviews, BATCH_SIZE, 'reviews.id')) {
    for (const { entryId, schoolId, ...row } of rows) {
      const { username, ...review } = reviewOf(row);
      const signature = withUsernames && username !== undefined ? { username } : {};
      yield { type: 'review', entryId, schoolId, ...review, ...signature };
    }
  }
}
