import type { Call } from '../../contract/call.ts';
import { CATEGORIES, type Category } from '../../contract/categories.ts';
import { entryCalls, entryName } from '../../contract/entries.ts';
import { recordAdmin } from '../audit/queries.ts';
import type { Connection } from '../database/database.ts';
import { changes, tags } from '../http/cache/tags.ts';
import { LIMITS } from '../http/limits/limits.ts';
import { type LimitedTools, spend } from '../http/limits/throttle.ts';
import { entryWord, refusals, requireFound } from '../http/refusals/refusals.ts';
import type { Caller, Serve } from '../http/serve/serve.ts';
import { deleteEntry } from '../visibility/deletion-queries.ts';
import { findEntry } from '../visibility/entry-queries.ts';
import { hasSchool, lockSchoolShared } from '../visibility/queries.ts';
import * as queries from './queries.ts';

/** Serves the calls of spec §7, "Category entries" and "Item name lookups", for every category. */
export function serveEntries(serve: Serve, tools: LimitedTools): void {
  for (const category of CATEGORIES) {
    serveReading(serve, category);
    serveManaging(serve, tools, category);
  }
}

function serveReading(serve: Serve, category: Category): void {
  const calls = entryCalls(category);

  serve.read(
    calls.list,
    async ({ db, params }) => {
      const entries = await queries.listEntries(db, category, params.id);
      if (entries.length === 0 && !(await hasSchool(db, params.id))) throw refusals.notFound('school');
      return entries;
    },
    ({ params }) => [tags.school(params.id), tags.reviewsAt(params.id)],
  );

  serve.read(
    calls.nameLookup,
    async ({ db, params }) => {
      const entry = requireFound(await findEntry(db, category, params.id), entryWord(category));
      return { [category.nameField]: entry.name };
    },
    ({ params }) => [tags.entry(params.id)],
  );

  serve.read(
    calls.details,
    async ({ db, params }) =>
      requireFound(await queries.findEntryDetails(db, category, params.id), entryWord(category)),
    ({ params }, { schoolId }) => [tags.entry(params.id), tags.school(schoolId)],
  );
}

function serveManaging(serve: Serve, { throttles, now }: LimitedTools, category: Category): void {
  const calls = entryCalls(category);
  const valuesOf = (body: Parameters<typeof entryName>[1] & { description: string }) => ({
    name: entryName(category, body),
    description: body.description,
  });
  const record = (db: Connection, caller: Caller, call: Call, id: number) =>
    recordAdmin(db, caller, call, { kind: 'entry', id }, now());

  serve.write(calls.create, async ({ db, commit, body, caller }) => {
    await spend(db, throttles.on(LIMITS.adminWrites, caller.userId), now());
    if (!(await lockSchoolShared(db, body.schoolId))) throw refusals.notFound('school');
    const entry = await queries.insertEntry(db, category, body.schoolId, valuesOf(body));
    await record(db, caller, calls.create, entry.id);
    commit.invalidate(...changes.entriesAdded(body.schoolId));
    return entry;
  });

  serve.write(calls.update, async ({ db, commit, body, caller }) => {
    await spend(db, throttles.on(LIMITS.adminWrites, caller.userId), now());
    const entry = requireFound(await queries.updateEntry(db, category, body.id, valuesOf(body)), entryWord(category));
    // An entry cannot move: its reviews are about the school it belongs to.
    if (body.schoolId !== undefined && body.schoolId !== entry.schoolId) {
      throw refusals.conflict('An entry cannot move to another school.', 'schoolId');
    }
    await record(db, caller, calls.update, entry.id);
    commit.invalidate(...changes.entryChanged(entry.id, entry.schoolId));
    return entry;
  });

  serve.write(calls.remove, async ({ db, commit, params: { id }, caller }) => {
    await spend(db, throttles.on(LIMITS.deletes, caller.userId), now());
    const by = { userId: caller.userId, now: now() };
    const deleted = requireFound(await deleteEntry(db, category, id, by), entryWord(category));
    await record(db, caller, calls.remove, id);
    commit.invalidate(...changes.entryDeleted(id, deleted.schoolId, category.kind));
  });
}
