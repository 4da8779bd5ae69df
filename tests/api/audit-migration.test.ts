import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { listAuditEntries } from '../../src/server/audit/queries.ts';
import type { Connection } from '../../src/server/database/database.ts';
import { createTarget, inDatabase } from '../support/command.ts';
import { createOld, migrationsBefore } from '../support/migrations.ts';
import { createFolder, ENGINES } from '../support/product.ts';

/** How many migrations there were before audit entries had a subject. */
const BEFORE = migrationsBefore('audit-entries');

/**
 * Audit entries: the actor (null: the command line), the action and the subject as the version before wrote them; then
 * the subject and the reason that the migration makes of them.
 */
const OLD: [user: number | null, act: string, target: string, kind: string, id: number | null, reason?: string][] = [
  [1, 'postSchool', 'school 12, Larkspur Polytechnic', 'school', 12],
  [1, 'updateSchool', 'school 12, Housing entry 5, the School', 'school', 12],
  [1, 'postHousing', 'Housing entry 286, North Hall', 'entry', 286],
  [1, 'deleteLifestyles', 'Lifestyle entry 7, user 3, x', 'entry', 7],
  [2, 'deleteHousingReview', 'review 594 of Housing entry 286', 'review', 594],
  [1, 'updateUser', 'user 3, Ann_Secret: an admin', 'user', 3, 'an admin'],
  [1, 'updateUser', 'user 3, Ann_Secret: no admin', 'user', 3, 'no admin'],
  [1, 'deleteUser', 'user 3, Ann_Secret', 'user', 3],
  [null, 'admin grant', 'user 2, Bob_Secret', 'user', 2],
  [1, 'somethingElse', 'Ann_Secret 3', 'old', null],
  [1, 'somethingElse', 'user 3x, Ann_Secret', 'old', null],
  [1, 'somethingElse', 'user , Ann_Secret', 'old', null],
  [1, 'somethingElse', 'user 99999999999999999999, Ann_Secret', 'old', null],
];

describe.each(ENGINES)('the audit trail of the version before on %s', (engine) => {
  const folder = createFolder();
  afterAll(() => folder.remove());

  async function withOldTrail(env: Record<string, string>): Promise<void> {
    await createOld(env, BEFORE, async (db) => {
      for (const [index, [user, act, target]] of OLD.entries()) {
        const name = user === null ? 'command line' : 'Ann_Secret';
        await sql`insert into admin_acts (happened_at, user_id, username, act, target)
          values (${index * 1000}, ${user}, ${name}, ${act}, ${target})`.execute(db);
      }
    });
  }

  test('is migrated with its ids, times and subjects, without names, and new entries follow', async () => {
    const env = await createTarget(engine, folder.dataDir);
    await withOldTrail(env);
    await inDatabase(env, async ({ read, write }) => {
      const entries = (await listAuditEntries(read, {})).rows.reverse();
      expect(entries).toEqual(
        OLD.map(([userId, act, , subjectKind, subjectId, reason], index) => ({
          id: index + 1,
          at: new Date(index * 1000).toISOString(),
          userId,
          // None of these users exists.
          username: userId === null ? 'command line' : null,
          act,
          subjectKind,
          subjectId,
          ...(reason && { reason, details: { action: reason } }),
        })),
      );
      const { rows } = await sql`select * from audit_entries`.execute(read);
      expect(JSON.stringify(rows)).not.toContain('Secret');
      await write((db) =>
        sql`insert into audit_entries (happened_at, act, subject_kind) values (1, 'next', 'old')`.execute(db),
      );
      const [added] = (await listAuditEntries(read, { limit: 1 })).rows;
      expect(added).toMatchObject({ id: OLD.length + 1, act: 'next' });
      for (const statement of [sql`update audit_entries set act = 'x'`, sql`delete from audit_entries`]) {
        await expect(write((db) => statement.execute(db))).rejects.toThrow('append-only');
      }
    });
  });
});

/** The action and all that an admin said as one text, as the version before wrote it; then its parts. */
const JOINED: [act: string, text: string, details: { action?: string; reason?: string; note?: string }][] = [
  ['moderateReview', 'hide: spam', { action: 'hide', reason: 'spam' }],
  [
    'moderateReview',
    'hide: illegal, A court: hide it, please.',
    { action: 'hide', reason: 'illegal', note: 'A court: hide it, please.' },
  ],
  ['moderateReview', 'restore', { action: 'restore' }],
  ['moderateReview', 'restore, personal', { action: 'restore', note: 'personal' }],
  ['moderateReview', 'keep: other, personally: fine', { action: 'keep', reason: 'other', note: 'personally: fine' }],
  ['moderateReview', 'hide: unlisted, x', { action: 'hide', reason: 'unlisted, x' }],
  ['decideProposal', 'refuse: No lake, no boats: none.', { action: 'refuse', reason: 'No lake, no boats: none.' }],
  ['decideProposal', 'accept: entry 7', { action: 'accept', reason: 'entry 7' }],
  ['blockUser', 'blocked: spam, twice', { action: 'blocked', reason: 'spam, twice' }],
  ['blockUser', 'unblocked', { action: 'unblocked' }],
  ['updateUser', 'no admin', { action: 'no admin' }],
  ['revealAuthor', 'hide: spam, says a court', { reason: 'hide: spam, says a court' }],
  ['deleteUser', 'reviews hidden: spam; schools deleted: 2', { reason: 'reviews hidden: spam; schools deleted: 2' }],
];

describe.each(ENGINES)('what admins said, in one text, on %s', (engine) => {
  const folder = createFolder();
  afterAll(() => folder.remove());

  const insertJoined = (db: Connection) =>
    db
      .insertInto('audit_entries')
      .values(JOINED.map(([act, reason]) => ({ happened_at: 1, act, reason, subject_kind: 'old' })))
      .execute();

  test('has its parts in columns and reads as before, including rows that the version before adds', async () => {
    const env = await createTarget(engine, folder.dataDir);
    await createOld(env, migrationsBefore('recorded-state'), insertJoined);
    await inDatabase(env, async ({ read, write }) => {
      // On SQLite two versions never run at the same time.
      if (engine === 'postgres') await write(insertJoined);
      const entries = (await listAuditEntries(read, { limit: 100 })).rows.reverse();
      const expected = JOINED.map(([act, reason, details]) => [act, reason, details]);
      expect(entries.map(({ act, reason, details }) => [act, reason, details])).toEqual(
        engine === 'postgres' ? [...expected, ...expected] : expected,
      );
      await expect(write((db) => sql`update audit_entries set note = 'x'`.execute(db))).rejects.toThrow('append-only');
    });
  });
});
