import type { ColumnTypes } from '../migrate.ts';

export const name = '044-account-seen';

/** The data that answers "why can they not log in?": refused logins, the outcome of mails, and the last login. */
export function statements({ id, integer, tableOptions }: ColumnTypes): string[] {
  return [
    `create table refused_logins (
      id ${id},
      user_id ${integer} not null references users (id) on delete cascade,
      reason text not null,
      refused_at ${integer} not null
    ) ${tableOptions}`,
    'create index refused_logins_by_user on refused_logins (user_id, refused_at)',
    'create index refused_logins_by_age on refused_logins (refused_at)',
    // Only of mails about accounts: others would reveal what somebody has written anonymously.
    `create table account_mails (
      id ${id},
      user_id ${integer} not null references users (id) on delete cascade,
      purpose text not null,
      state text not null,
      ended_at ${integer} not null
    ) ${tableOptions}`,
    'create index account_mails_by_user on account_mails (user_id, ended_at)',
    'create index account_mails_by_age on account_mails (ended_at)',
    `alter table users add column last_login_on ${integer}`,
  ];
}
