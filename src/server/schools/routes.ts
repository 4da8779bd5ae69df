import * as calls from '../../contract/schools.ts';
import { refusals } from '../http/refusals.ts';
import type { Serve } from '../http/router.ts';
import { LIMITS } from '../security/limits.ts';
import { type LimitedTools, spend } from '../security/throttle.ts';
import * as queries from './queries.ts';

/** Serves the calls of spec §7, "Schools". */
export function serveSchools(serve: Serve, { database, throttles, now }: LimitedTools): void {
  serve(
    calls.listSchools,
    ({ query: { prefix, limit } }) =>
      prefix
        ? queries.listSchoolsByPrefix(database.readShared(), prefix, limit)
        : queries.listSchools(database.readShared(), limit),
    { tags: () => ['schools'] },
  );

  serve(
    calls.getSchool,
    async ({ params }) => {
      const school = await queries.findSchool(database.readShared(), params.id);
      if (!school) throw refusals.notFound('school');
      return school;
    },
    { tags: ({ params }) => [`school:${params.id}`] },
  );

  serve(calls.postSchool, ({ body }) =>
    database.write(async (db, commit) => {
      commit.touch('schools');
      return queries.insertSchool(db, body);
    }),
  );

  serve(calls.updateSchool, ({ body: { id, ...fields } }) =>
    database.write(async (db, commit) => {
      if (!(await queries.updateSchool(db, id, fields))) throw refusals.notFound('school');
      commit.touch('schools', `school:${id}`, 'leaderboards');
      return { id, ...fields };
    }),
  );

  serve(calls.deleteSchool, ({ params: { id }, caller }) =>
    database.write(async (db, commit) => {
      await spend(db, throttles.on(LIMITS.deletes, caller.userId), now());
      const entryIds = await queries.listEntryIds(db, id);
      if (!(await queries.deleteSchool(db, id))) throw refusals.notFound('school');
      commit.touch('schools', `school:${id}`, 'leaderboards');
      for (const entryId of entryIds) commit.touch(`entry:${entryId}`, `reviews:${entryId}`);
      return {};
    }),
  );
}
