import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { listAuditEntries } from '../../src/server/audit/queries.ts';
import { createTarget, inDatabase } from '../support/command.ts';
import { migrationsBefore, openOld } from '../support/migrations.ts';
import { createFolder, ENGINES } from '../support/product.ts';

/** How many migrations there were before entries had a subject. */
const BEFORE = migrationsBefore('audit-entries');

/** Who (null: the command line), what and to what, as the version before wrote them; then subject and reason. */
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
    const database = await openOld(env, BEFORE);
    await database.write(async (db) => {
      for (const [index, [user, act, target]] of OLD.entries()) {
        const name = user === null ? 'command line' : 'Ann_Secret';
        await sql`insert into admin_acts (happened_at, user_id, username, act, target)
          values (${index * 1000}, ${user}, ${name}, ${act}, ${target})`.execute(db);
      }
    });
    await database.close();
  }

  test('is taken over with its ids, times and subjects, without a name in it, and goes on from there', async () => {
    const env = await createTarget(engine, folder.dataDir);
    await withOldTrail(env);
    await inDatabase(env, async ({ read, write }) => {
      const entries = (await listAuditEntries(read, {})).rows.reverse();
      expect(entries).toEqual(
        OLD.map(([userId, act, , subjectKind, subjectId, reason], index) => ({
          id: index + 1,
          at: new Date(index * 1000).toISOString(),
          userId,
          // Nobody of them is there.
          username: userId === null ? 'command line' : null,
          act,
          subjectKind,
          subjectId,
          ...(reason && { reason }),
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
