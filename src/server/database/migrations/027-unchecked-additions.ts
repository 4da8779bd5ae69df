import type { ColumnTypes } from '../migrate.ts';

export const name = '027-unchecked-additions';

/**
 * Marks the schools and entries that somebody added with PROPOSALS=open and no admin has changed since. Existing ones
 * are recognised by their proposals, which were decided in the moment in which they were made.
 */
export function statements({ integer }: ColumnTypes): string[] {
  return [
    ['schools', 'school'],
    ['entries', 'entry'],
  ].flatMap(([table, kind]) => [
    `alter table ${table} add column is_unchecked ${integer} not null default 0`,
    `update ${table} set is_unchecked = 1
      where id in (select made_id from proposals
          where kind = '${kind}' and state = 'accepted' and decided_at = created_at)
        and not exists (select 1 from audit_entries
          where subject_kind = '${kind}' and subject_id = ${table}.id and act like 'update%')`,
  ]);
}
