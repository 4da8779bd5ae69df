import * as calls from '../../contract/comparison.ts';
import { periodStart, RECENT_MONTHS } from '../../contract/scores.ts';
import { tags } from '../cache/tags.ts';
import type { Milliseconds } from '../database/tables.ts';
import { refusals } from '../refusals/refusals.ts';
import type { Serve } from '../serve/serve.ts';
import { readSummaries } from './queries.ts';

/** What the summary of a school is made of. */
const ofSchool = (id: number) => [tags.school(id), tags.reviewsAt(id), tags.today];

/** Serves the calls that help to decide between schools. */
export function serveComparison(serve: Serve, { now }: { now: () => Milliseconds }): void {
  const recentSince = () => periodStart(RECENT_MONTHS, now());

  serve.read(
    calls.getSchoolSummary,
    async ({ db, params: { schoolId } }) => {
      const [summary] = await readSummaries(db, [schoolId], recentSince());
      if (!summary) throw refusals.notFound('school');
      return summary;
    },
    ({ params }) => ofSchool(params.schoolId),
  );
}
