import { sql } from 'kysely';
import { PASSCODE_LIFE_MINUTES } from '../src/contract/accounts.ts';
import { checkCounts } from '../src/server/commands/count-checks/check.ts';
import { findDamage } from '../src/server/database/integrity.ts';
import type { DatabaseAddress } from '../src/server/database/open.ts';
import { withDatabase } from '../tests/support/with-database.ts';

/** Expired codes are deleted, so older sign-ups without a code are not faults. */
const CODES_LIVE_MS = PASSCODE_LIFE_MINUTES * 60_000;

/**
 * What is wrong with a database by its own checks, its counters, and sign-ups that are there in part: an account that
 * waits for a passcode which is neither queued nor sent. May run beside a server.
 * @param isRestored a restore drops passcodes and pending mails, so that sign-ups have none
 */
export async function findDatabaseFaults(address: DatabaseAddress, isRestored = false): Promise<string[]> {
  return withDatabase(address, async (database) => {
    const damage = database.engine === 'sqlite' ? await findDamage(database.read) : [];
    const { faults } = await checkCounts(database.read);
    if (isRestored) return [...damage, ...faults];
    const { rows } = await sql<{ email: string }>`
      select email from users where verified_at is null and created_at > ${Date.now() - CODES_LIVE_MS}
      and not exists (select 1 from outbox where outbox.user_id = users.id)
      and not exists (select 1 from passcodes where passcodes.user_id = users.id)
    `.execute(database.read);
    return [...damage, ...faults, ...rows.map(({ email }) => `${email} waits for a passcode that nobody sends`)];
  });
}
