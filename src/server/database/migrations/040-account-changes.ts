import type { ColumnTypes } from '../migrate.ts';

export const name = '040-account-changes';

/** Names that people gave up, which nobody else gets for a while, and changes of emails. */
export function statements({ id, integer, key, tableOptions }: ColumnTypes): string[] {
  return [
    // The name is stored as a keyed hash alone. It stays reserved when its owner is deleted.
    `create table former_names (
      name_hash ${key} primary key,
      user_id ${integer} references users (id) on delete set null,
      changed_at ${integer} not null
    ) ${tableOptions}`,
    'create index former_names_by_user on former_names (user_id, changed_at)',
    'create index former_names_by_age on former_names (changed_at)',
    // A row without a time of change waits for its passcode; with one, for the notice to the former mailbox.
    `create table email_changes (
      id ${id},
      user_id ${integer} not null references users (id) on delete cascade,
      old_email text not null,
      new_email text not null,
      asked_at ${integer} not null,
      changed_at ${integer}
    ) ${tableOptions}`,
    // At most one change of a user waits.
    'create unique index email_changes_pending on email_changes (user_id) where changed_at is null',
    'create index email_changes_by_user on email_changes (user_id)',
    'create index email_changes_by_age on email_changes (asked_at)',
  ];
}
