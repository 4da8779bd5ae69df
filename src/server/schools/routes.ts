import { LIST_LIMIT_MAX } from '../../contract/fields.ts';
import * as calls from '../../contract/schools.ts';
import { noteAct } from '../audit/queries.ts';
import { changes, tags } from '../cache/tags.ts';
import { refusals } from '../http/refusals.ts';
import type { Serve } from '../http/router.ts';
import { LIMITS } from '../security/limits.ts';
import { type LimitedTools, spend } from '../security/throttle.ts';
import * as queries from './queries.ts';

const nameOf = ({ id, schoolName }: { id: number; schoolName: string }) => `school ${id}, ${schoolName}`;

/** Serves the calls of spec §7, "Schools". */
export function serveSchools(serve: Serve, { database, throttles, now }: LimitedTools): void {
  serve.kept(
    calls.listSchools,
    ({ query: { prefix, limit } }) =>
      prefix
        ? queries.listSchoolsByPrefix(database.readShared(), prefix, limit)
        : queries.listSchools(database.readShared(), limit),
    () => [tags.schools],
    {
      keyOf: ({ prefix, limit }) => ({
        ...(prefix && { prefix: queries.prefixKey(prefix) }),
        ...(limit !== undefined && { limit }),
      }),
      limitMax: LIST_LIMIT_MAX,
    },
  );

  serve.kept(
    calls.getSchool,
    async ({ params }) => {
      const school = await queries.findSchool(database.readShared(), params.id);
      if (!school) throw refusals.notFound('school');
      return school;
    },
    ({ params }) => [tags.school(params.id)],
  );

  serve(calls.postSchool, ({ body, caller }) =>
    database.write(async (db, commit) => {
      await spend(db, throttles.on(LIMITS.adminWrites, caller.userId), now());
      const school = await queries.insertSchool(db, body);
      await noteAct(db, caller, calls.postSchool, nameOf(school), now());
      commit.invalidate(...changes.schoolsAdded);
      return school;
    }),
  );

  serve(calls.updateSchool, ({ body: { id, ...fields }, caller }) =>
    database.write(async (db, commit) => {
      await spend(db, throttles.on(LIMITS.adminWrites, caller.userId), now());
      if (!(await queries.updateSchool(db, id, fields))) throw refusals.notFound('school');
      await noteAct(db, caller, calls.updateSchool, nameOf({ id, ...fields }), now());
      commit.invalidate(...changes.schoolChanged(id));
      return { id, ...fields };
    }),
  );

  serve(calls.deleteSchool, ({ params: { id }, caller }) =>
    database.write(async (db, commit) => {
      await spend(db, throttles.on(LIMITS.deletes, caller.userId), now());
      await queries.lockSchool(db, database.engine, id);
      const entryIds = await queries.listEntryIds(db, id);
      const school = await queries.findSchool(db, id);
      if (!school || !(await queries.deleteSchool(db, id))) throw refusals.notFound('school');
      await noteAct(db, caller, calls.deleteSchool, nameOf(school), now());
      commit.invalidate(...changes.schoolDeleted(id, entryIds));
      return {};
    }),
  );
}
