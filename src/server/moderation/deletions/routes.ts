import { getDeleted, RESTORE_DAYS, restoreDeleted } from '../../../contract/deletions.ts';
import { recordAdmin } from '../../audit/queries.ts';
import { idsOf } from '../../database/found-rows.ts';
import { changes } from '../../http/cache/tags.ts';
import { LIMITS } from '../../http/limits/limits.ts';
import { type LimitedTools, spend } from '../../http/limits/throttle.ts';
import { refusals, requireFound } from '../../http/refusals/refusals.ts';
import type { Serve } from '../../http/serve/serve.ts';
import { listDeleted, restoreEntry, restoreSchool } from '../../visibility/deletion-queries.ts';

/** Serves what admins deleted and can restore (contract-beyond §6). */
export function serveDeletions(serve: Serve, { throttles, now }: LimitedTools): void {
  serve.read(getDeleted, ({ db, query }) => listDeleted(db, now(), query));

  serve.write(restoreDeleted, async ({ db, commit, body: { kind, id }, caller }) => {
    await spend(db, throttles.on(LIMITS.adminWrites, caller.userId), now());
    const restore = kind === 'school' ? restoreSchool : restoreEntry;
    const what = `deleted ${kind}, or its ${RESTORE_DAYS} days are over`;
    const restored = requireFound(await restore(db, id, now()), what);
    if (restored === 'school is deleted') {
      throw refusals.conflict('The school of this entry is deleted too. Restore the school first.');
    }
    await recordAdmin(db, caller, restoreDeleted, { kind, id }, now());
    const { schoolId, entries } = restored;
    if (kind === 'school') commit.invalidate(...changes.schoolDeleted(id, idsOf(entries)));
    else for (const entry of entries) commit.invalidate(...changes.entryDeleted(entry.id, schoolId, entry.kind));
    return { kind, id, name: restored.name };
  });
}
