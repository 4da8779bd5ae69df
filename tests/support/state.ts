import { createHash } from 'node:crypto';
import type { Tables } from '../../src/server/database/tables.ts';
import type { RunningProduct } from './rows.ts';

/** Every table of the product and whether a refused call must leave it alone: only what limits count may move. */
const TABLES: Record<keyof Tables, boolean> = {
  schools: true,
  alias_keys: true,
  merged_schools: true,
  entries: true,
  deletions: true,
  review_counts: true,
  relation_counts: true,
  reviews: true,
  helpful_marks: true,
  users: true,
  former_names: true,
  email_changes: true,
  sessions: true,
  passcodes: true,
  outbox: true,
  profiles: true,
  saved_schools: true,
  audit_entries: true,
  review_events: true,
  removals: true,
  removal_heads: true,
  moderation_items: true,
  reports: true,
  appeals: true,
  proposals: true,
  migrations: true,
  served_versions: true,
  throttles: false,
};

/** A code that somebody tried in vain stays what it was, but for the count. */
const UNCOUNTED = (key: string, value: unknown) => (key === 'tries' ? undefined : value);

/** Every row that a refused call must leave as it is, the mails not yet sent among them, as one hash a table. */
export async function hashState({ app }: RunningProduct): Promise<Record<string, string>> {
  // Due mails are sent first, so that what is left in the outbox stays there.
  await app.outbox.flush();
  const names = (Object.keys(TABLES) as (keyof Tables)[]).filter((table) => TABLES[table]);
  const hashes = names.map(async (table) => {
    const rows = await app.database.read.selectFrom(table).selectAll().execute();
    // PostgreSQL promises no order, and an update moves a row.
    const lines = rows.map((row) => JSON.stringify(row, UNCOUNTED)).sort();
    return [table, createHash('sha256').update(lines.join('\n')).digest('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}
