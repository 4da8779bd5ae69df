import type { ColumnTypes } from '../migrate.ts';

export const name = '003-admin-acts';

/** The audit log. Its rows are never changed or deleted, even by mistake, because triggers refuse it. */
export function statements({ engine, id, integer, tableOptions }: ColumnTypes): string[] {
  const refusing =
    engine === 'sqlite'
      ? ['update', 'delete'].map(
          (act) => `create trigger admin_acts_no_${act} before ${act} on admin_acts
            begin select raise(abort, 'admin_acts is append-only'); end`,
        )
      : [
          `create function refuse_change() returns trigger language plpgsql as $$
            begin raise exception '% is append-only', tg_table_name; end $$`,
          `create trigger admin_acts_append_only before update or delete on admin_acts
            for each row execute function refuse_change()`,
        ];
  return [
    `create table admin_acts (
      id ${id},
      happened_at ${integer} not null,
      user_id ${integer},
      username text not null,
      act text not null,
      target text not null
    ) ${tableOptions}`,
    ...refusing,
  ];
}
