import type { ColumnTypes } from '../migrate.ts';

export const name = '050-change-log';

/**
 * What each transaction invalidates in the caches of all processes, under the number of that transaction: see
 * `change-log.ts`. SQLite has one process. The log is never empty: it begins
 * with the first number that PostgreSQL assigns.
 */
export function statements({ engine }: ColumnTypes): string[] {
  if (engine === 'sqlite') return [];
  return [
    'create table change_log (xid xid8 primary key default pg_current_xact_id(), tags text not null)',
    `insert into change_log (xid, tags) values ('3', '')`,
  ];
}
