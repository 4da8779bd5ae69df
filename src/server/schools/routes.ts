import { callAddress } from '../../contract/call.ts';
import { LIST_LIMIT_MAX } from '../../contract/fields.ts';
import { foldCase } from '../../contract/folding.ts';
import * as calls from '../../contract/schools.ts';
import { recordAdmin } from '../audit/queries.ts';
import { idsOf } from '../database/found-rows.ts';
import { changes, tags } from '../http/cache/tags.ts';
import { LIMITS } from '../http/limits/limits.ts';
import { type LimitedTools, spend } from '../http/limits/throttle.ts';
import { refusals, requireFound } from '../http/refusals/refusals.ts';
import type { Serve } from '../http/serve/serve.ts';
import { deleteSchool } from '../visibility/deletion-queries.ts';
import * as queries from './queries.ts';

/** Serves the calls of spec §7, "Schools". */
export function serveSchools(serve: Serve, { throttles, now }: LimitedTools): void {
  serve.read(
    calls.listSchools,
    ({ db, query: { prefix, limit } }) =>
      prefix ? queries.listSchoolsByPrefix(db, prefix, limit) : queries.listSchools(db, limit),
    () => [tags.schools],
    {
      keyOf: ({ prefix, limit }) => ({
        ...(prefix && { prefix: foldCase(prefix) }),
        ...(limit !== undefined && { limit }),
      }),
      limitMax: LIST_LIMIT_MAX,
    },
  );

  serve.read(
    calls.getSchool,
    async ({ db, params }) => {
      const school = await queries.findSchool(db, params.id);
      if (school) return school;
      const successor = requireFound(await queries.findSuccessor(db, params.id), 'school');
      throw refusals.merged(successor, callAddress(calls.getSchool, { params: { id: successor } }));
    },
    ({ params }) => [tags.school(params.id)],
  );

  serve.write(calls.postSchool, async ({ db, commit, body, caller }) => {
    await spend(db, throttles.on(LIMITS.adminWrites, caller.userId), now());
    const school = await queries.insertSchool(db, body);
    await recordAdmin(db, caller, calls.postSchool, { kind: 'school', id: school.id }, now());
    commit.invalidate(...changes.schoolsAdded);
    return school;
  });

  serve.write(calls.updateSchool, async ({ db, commit, body: { id, ...fields }, caller }) => {
    await spend(db, throttles.on(LIMITS.adminWrites, caller.userId), now());
    const school = requireFound(await queries.updateSchool(db, id, fields), 'school');
    await recordAdmin(db, caller, calls.updateSchool, { kind: 'school', id }, now());
    commit.invalidate(...changes.schoolChanged(id));
    return school;
  });

  serve.write(calls.deleteSchool, async ({ db, commit, params: { id }, caller }) => {
    await spend(db, throttles.on(LIMITS.deletes, caller.userId), now());
    const deleted = requireFound(await deleteSchool(db, id, { userId: caller.userId, now: now() }), 'school');
    await recordAdmin(db, caller, calls.deleteSchool, { kind: 'school', id }, now());
    commit.invalidate(...changes.schoolDeleted(id, idsOf(deleted.entries)));
  });
}
