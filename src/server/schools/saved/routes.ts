import { getSchoolSummary } from '../../../contract/comparison.ts';
import * as calls from '../../../contract/saved-schools.ts';
import type { Connection } from '../../database/database.ts';
import { lockCallsOf } from '../../database/lock-row.ts';
import { BOUNDS } from '../../http/limits/bounds.ts';
import { LIMITS } from '../../http/limits/limits.ts';
import { type LimitedTools, spend } from '../../http/limits/throttle.ts';
import { Refusal, refusals, requireFound } from '../../http/refusals/refusals.ts';
import type { PublicReads } from '../../http/serve/public-reads.ts';
import type { Serve } from '../../http/serve/serve.ts';
import { findSchool } from '../queries.ts';
import * as queries from './queries.ts';

/** How many summaries are read at once: they share the connections of a pool with other requests. */
const PARALLEL_READS = 10;

const LIST_IS_FULL = `You have saved ${BOUNDS.savedSchools.max} schools. Remove one to save another.`;

const requireSchool = async (db: Connection, id: number) => requireFound(await findSchool(db, id), 'school');

/** Serves the list of schools that each user has saved. */
export function serveSavedSchools(
  serve: Serve,
  { throttles, now, reads }: LimitedTools & { reads: PublicReads },
): void {
  serve.write(
    calls.saveSchool,
    async ({ db, params: { schoolId }, caller: { userId } }) => {
      await spend(db, throttles.on(LIMITS.schoolSaves, userId), now());
      // Locked, so that concurrent calls cannot exceed the maximum.
      await lockCallsOf(db, userId);
      await requireSchool(db, schoolId);
      const saved = await queries.listSavedIds(db, userId);
      if (saved.includes(schoolId)) return;
      if (saved.length >= BOUNDS.savedSchools.max) throw refusals.conflict(LIST_IS_FULL);
      await queries.insertSaved(db, userId, schoolId, now());
    },
    {
      // On PostgreSQL the school may be deleted between the query and the insert. If the school exists, the user is
      // gone.
      onVanished: async ({ db, params }) => {
        await requireSchool(db, params.schoolId);
        return refusals.invalidToken();
      },
    },
  );

  serve.write(calls.unsaveSchool, async ({ db, params: { schoolId }, caller: { userId } }) => {
    await spend(db, throttles.on(LIMITS.schoolSaves, userId), now());
    await requireSchool(db, schoolId);
    await queries.deleteSaved(db, userId, schoolId);
  });

  serve.read(calls.getSavedSchools, async ({ db, caller }) => {
    const ids = await queries.listSavedIds(db, caller.userId);
    const schools: calls.SavedSchool[] = [];
    for (let start = 0; start < ids.length; start += PARALLEL_READS) {
      const some = await Promise.all(ids.slice(start, start + PARALLEL_READS).map((id) => findSaved(reads, id)));
      schools.push(...some.filter((school) => school !== undefined));
    }
    return schools;
  });
}

/** A part of the cached summary, which is the same for everybody; undefined when the school was deleted meanwhile. */
async function findSaved(reads: PublicReads, schoolId: number): Promise<calls.SavedSchool | undefined> {
  try {
    const { categories: _, ...school } = await reads.findAnswer(getSchoolSummary, { params: { schoolId } });
    return school;
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined;
    throw error;
  }
}
