import { createHash } from 'node:crypto';
import { DATA_TABLES } from '../../src/server/database/table-rows.ts';
import { endHolding } from './moderation.ts';
import type { RunningProduct } from './rows.ts';

/** Tables that a refused call may change: what limits count, and the refused logins themselves. */
const OF_REFUSALS: readonly string[] = ['throttles', 'refused_logins'];

const TABLES = [
  ...DATA_TABLES.filter((table) => !OF_REFUSALS.includes(table)),
  'migrations',
  'served_versions',
] as const;

/** The number of tries of a code may change, but nothing else of it. */
const withoutTries = (key: string, value: unknown) => (key === 'tries' ? undefined : value);

/** A hash of each table that a refused call must leave unchanged, including mails not yet sent. */
export async function hashState(product: RunningProduct): Promise<Record<string, string>> {
  const { app } = product;
  // Held hides are completed and due mails are sent first, so that what is left in the outbox stays there.
  await endHolding(product);
  const hashes = TABLES.map(async (table) => {
    const rows = await app.database.read.selectFrom(table).selectAll().execute();
    // PostgreSQL promises no order, and an update moves a row.
    const lines = rows.map((row) => JSON.stringify(row, withoutTries)).sort();
    return [table, createHash('sha256').update(lines.join('\n')).digest('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}
