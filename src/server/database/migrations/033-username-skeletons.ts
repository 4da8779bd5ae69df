import type { ColumnTypes } from '../migrate.ts';

export const name = '033-username-skeletons';

/** What each username looks like. `033-filled-skeletons` fills it for existing names. */
export function statements({ engine, key }: ColumnTypes): string[] {
  return [
    `alter table users add column username_skeleton ${key}`,
    ...(engine === 'postgres' ? SERVE_VERSION_BEFORE : []),
  ];
}

/** The skeleton of names that processes of the previous version add, which are ASCII. The next release can drop it. */
const SERVE_VERSION_BEFORE = [
  `create function fill_username_skeleton() returns trigger language plpgsql as $$ begin
    new.username_skeleton := replace(translate(lower(new.username), '01i_-.', 'oll'), 'm', 'rn');
    return new;
  end $$`,
  `create trigger users_skeleton before insert on users for each row when (new.username_skeleton is null)
    execute function fill_username_skeleton()`,
];
