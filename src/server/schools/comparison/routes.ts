import { CATEGORIES } from '../../../contract/categories.ts';
import * as calls from '../../../contract/comparison.ts';
import { compareRatings, periodStart, RECENT_MONTHS } from '../../../contract/scores.ts';
import type { Connection } from '../../database/database.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { tags } from '../../http/cache/tags.ts';
import { refusals, requireFound } from '../../http/refusals/refusals.ts';
import type { Serve } from '../../http/serve/serve.ts';
import { readSummaries } from './queries.ts';

/** The tags of a school's summary. */
const tagsOfSchool = (id: number) => [tags.school(id), tags.reviewsAt(id)];

/** Serves the calls for comparing schools. */
export function serveComparison(serve: Serve, { now }: { now: () => Milliseconds }): void {
  const readSchools = (db: Connection, ids: readonly number[]) =>
    readSummaries(db, ids, periodStart(RECENT_MONTHS, now()));

  serve.read(
    calls.getSchoolSummary,
    async ({ db, params: { schoolId } }) =>
      requireFound((await readSchools(db, [schoolId])).get(schoolId), 'school').summary,
    ({ params }) => [...tagsOfSchool(params.schoolId), tags.today],
  );

  serve.read(
    calls.compareSchools,
    async ({ db, query }) => {
      const ids = calls.readComparedIds(query.ids);
      if (!ids) throw refusals.badInput(calls.WRONG_IDS, 'ids');
      const found = await readSchools(db, ids);
      const schools = ids.map((id) => requireFound(found.get(id), 'school'));
      const verdicts = CATEGORIES.map(({ kind }) => ({
        category: kind,
        ...compareRatings(schools.map(({ summary, countsOf }) => ({ schoolId: summary.id, counts: countsOf(kind) }))),
      }));
      return { schools: schools.map(({ summary }) => summary), verdicts };
    },
    (_request, { schools }) => [...schools.flatMap(({ id }) => tagsOfSchool(id)), tags.today],
  );
}
