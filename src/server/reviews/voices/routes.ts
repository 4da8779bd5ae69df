import { CATEGORIES } from '../../../contract/categories.ts';
import { periodStart, RECENT_MONTHS } from '../../../contract/scores.ts';
import { getEntryVoices, getSchoolVoices, getVoices } from '../../../contract/voices.ts';
import type { Connection } from '../../database/database.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { tags } from '../../http/cache/tags.ts';
import { refusals } from '../../http/refusals/refusals.ts';
import type { Serve } from '../../http/serve/serve.ts';
import { hasSchool } from '../../visibility/queries.ts';
import { readNewestVoices, readVoicesAt } from './queries.ts';

const POSITIONS = new Map(CATEGORIES.map(({ kind }, position) => [kind, position]));
const positionOf = ({ category }: { category: string }) => POSITIONS.get(category) ?? 0;

/** Serves quotes of reviews: of a school, of its entries, and of the whole site. */
export function serveVoices(serve: Serve, { now }: { now: () => Milliseconds }): void {
  async function readAt(db: Connection, schoolId: number, kind?: string) {
    const voices = await readVoicesAt(db, schoolId, kind, periodStart(RECENT_MONTHS, now()));
    if (voices.length === 0 && !(await hasSchool(db, schoolId))) throw refusals.notFound('school');
    return voices;
  }

  const tagsOfSchool = ({ params: { schoolId } }: { params: { schoolId: number } }) => [
    tags.school(schoolId),
    tags.reviewsAt(schoolId),
    tags.opinionsAt(schoolId),
    tags.today,
  ];

  serve.read(
    getSchoolVoices,
    async ({ db, params }) =>
      (await readAt(db, params.schoolId)).sort((one, other) => positionOf(one) - positionOf(other)),
    tagsOfSchool,
  );

  serve.read(getEntryVoices, ({ db, params, query }) => readAt(db, params.schoolId, query.category), tagsOfSchool);

  // Not tagged with all reviews: if a quoted one is deleted, its own tags suffice, and a new one can wait for a minute.
  serve.read(
    getVoices,
    ({ db }) => readNewestVoices(db),
    (_, voices) => [
      tags.thisMinute,
      ...voices.flatMap(({ entryId, schoolId }) => [
        tags.reviewsOf(entryId),
        tags.entry(entryId),
        tags.school(schoolId),
        tags.opinionsAt(schoolId),
      ]),
    ],
  );
}
