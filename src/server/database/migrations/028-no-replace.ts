import type { ColumnTypes } from '../migrate.ts';

export const name = '028-no-replace';

const APPEND_ONLY = ['audit_entries', 'review_events', 'removals'];

/**
 * SQLite's INSERT OR REPLACE deletes the row that is there without running its triggers, unless the connection asks for
 * them (https://www.sqlite.org/lang_conflict.html): whoever opened the file could replace a recorded row. A row that is
 * added without an id has none of those there. PostgreSQL treats the like as an update, which is refused already.
 */
export function statements({ engine }: ColumnTypes): string[] {
  if (engine === 'postgres') return [];
  return APPEND_ONLY.map(
    (table) => `create trigger ${table}_no_replace before insert on ${table}
      when exists (select 1 from ${table} where id = new.id)
      begin select raise(abort, '${table} is append-only'); end`,
  );
}
