import type { Call } from '../../contract/call.ts';
import { CATEGORIES, type Category } from '../../contract/categories.ts';
import { entryCalls, entryName } from '../../contract/entries.ts';
import { noteAct } from '../audit/queries.ts';
import { changes, tags } from '../cache/tags.ts';
import type { Connection } from '../database/database.ts';
import { isForeignKeyViolation } from '../database/failures.ts';
import { refusals } from '../http/refusals.ts';
import type { Caller, Serve } from '../http/router.ts';
import { findSchool } from '../schools/queries.ts';
import { LIMITS } from '../security/limits.ts';
import { type LimitedTools, spend } from '../security/throttle.ts';
import * as queries from './queries.ts';

/** Serves the calls of spec §7, "Category entries" and "Item name lookups", for every category. */
export function serveEntries(serve: Serve, tools: LimitedTools): void {
  for (const category of CATEGORIES) serveCategory(serve, tools, category);
}

function serveCategory(serve: Serve, { database, throttles, now }: LimitedTools, category: Category): void {
  const calls = entryCalls(category);
  const noEntry = () => refusals.notFound(`${category.entryLabel} entry`);
  const valuesOf = (body: Parameters<typeof entryName>[1] & { description: string }) => ({
    name: entryName(category, body),
    description: body.description,
  });

  const note = (db: Connection, caller: Caller, act: Call, { id, name }: { id: number; name: string }) =>
    noteAct(db, caller, act, `${category.entryLabel} entry ${id}, ${name}`, now());

  serve.kept(
    calls.list,
    async ({ params }) => {
      const entries = await queries.listEntries(database.readShared(), category, params.id);
      if (entries.length === 0 && !(await findSchool(database.readShared(), params.id)))
        throw refusals.notFound('school');
      return entries;
    },
    ({ params }) => [tags.school(params.id)],
  );

  serve.kept(
    calls.nameLookup,
    async ({ params }) => {
      const entry = await queries.findEntry(database.readShared(), category, params.id);
      if (!entry) throw noEntry();
      return { [category.nameField]: entry.name };
    },
    ({ params }) => [tags.entry(params.id)],
  );

  serve.kept(
    calls.details,
    async ({ params }) => {
      const entry = await queries.findEntryDetails(database.readShared(), category, params.id);
      if (!entry) throw noEntry();
      return entry;
    },
    ({ params }, { schoolId }) => [tags.entry(params.id), tags.school(schoolId)],
  );

  serve(calls.create, async ({ body, caller }) => {
    try {
      return await database.write(async (db, commit) => {
        await spend(db, throttles.on(LIMITS.adminWrites, caller.userId), now());
        const values = valuesOf(body);
        const entry = await queries.insertEntry(db, category, body.schoolId, values);
        await note(db, caller, calls.create, { id: entry.id, ...values });
        commit.invalidate(...changes.entriesAdded(body.schoolId));
        return entry;
      });
    } catch (error) {
      throw isForeignKeyViolation(error) ? refusals.notFound('school') : error;
    }
  });

  serve(calls.update, ({ body, caller }) =>
    database.write(async (db, commit) => {
      await spend(db, throttles.on(LIMITS.adminWrites, caller.userId), now());
      const values = valuesOf(body);
      const entry = await queries.updateEntry(db, category, body.id, values);
      if (!entry) throw noEntry();
      // An entry never moves: the reviews it carries were written about where it is.
      if (body.schoolId !== undefined && body.schoolId !== entry.schoolId) {
        throw refusals.clash('An entry cannot move to another school.');
      }
      await note(db, caller, calls.update, { id: entry.id, ...values });
      commit.invalidate(...changes.entryChanged(entry.id, entry.schoolId));
      return entry;
    }),
  );

  serve(calls.remove, ({ params: { id }, caller }) =>
    database.write(async (db, commit) => {
      await spend(db, throttles.on(LIMITS.deletes, caller.userId), now());
      const entry = await queries.findEntry(db, category, id);
      const schoolId = await queries.deleteEntry(db, category, id);
      if (!entry || schoolId === undefined) throw noEntry();
      await note(db, caller, calls.remove, entry);
      commit.invalidate(...changes.entryDeleted(id, schoolId, category.kind));
      return {};
    }),
  );
}
