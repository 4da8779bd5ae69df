import * as calls from '../../../contract/merging.ts';
import { recordAdmin } from '../../audit/queries.ts';
import type { Connection } from '../../database/database.ts';
import { changes } from '../../http/cache/tags.ts';
import { LIMITS } from '../../http/limits/limits.ts';
import { type LimitedTools, spend } from '../../http/limits/throttle.ts';
import { refusals, requireFound } from '../../http/refusals/refusals.ts';
import type { Serve } from '../../http/serve/serve.ts';
import { findSchool } from '../../schools/queries.ts';
import { lockManyReviews } from '../../visibility/location-queries.ts';
import type { SchoolPair } from './moving-queries.ts';
import * as queries from './queries.ts';

/** @throws a 400 if both ids are the same, a 404 unless both schools exist */
async function requireSchools(db: Connection, { from, into }: SchoolPair) {
  if (from === into) throw refusals.badInput('A school cannot be merged into itself.', 'into');
  const requireSchool = async (id: number) => requireFound(await findSchool(db, id), 'school');
  return { duplicate: await requireSchool(from), school: await requireSchool(into) };
}

/** Serves the merging of duplicate schools. */
export function serveMerging(serve: Serve, { throttles, now }: LimitedTools): void {
  serve.read(calls.previewMerge, async ({ db, query }) => {
    await requireSchools(db, query);
    return queries.findPreview(db, query);
  });

  serve.write(calls.mergeSchools, async ({ db, commit, body, caller }) => {
    await spend(db, throttles.on(LIMITS.deletes, caller.userId), now());
    await lockManyReviews(db);
    await queries.lockSchools(db, body);
    const { duplicate, school } = await requireSchools(db, body);
    const entryIds = await queries.mergeSchools(db, body, now());
    const merged = await queries.addAliases(db, school, duplicate);
    await queries.retireSchool(db, body);
    const reason = `${duplicate.schoolName} (no. ${duplicate.id})`;
    await recordAdmin(db, caller, calls.mergeSchools, { kind: 'school', id: school.id }, now(), { reason });
    commit.invalidate(...changes.schoolsMerged(body, entryIds));
    return merged;
  });
}
