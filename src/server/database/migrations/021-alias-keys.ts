import { sql } from 'kysely';
import { nameKey } from '../../../contract/folding.ts';
import type { ColumnTypes, Fill } from '../migrate.ts';

export const name = '021-alias-keys';

/** The aliases of schools in the form that proposals are compared with, so that a proposed alias is found too. */
export function statements({ integer, key, tableOptions }: ColumnTypes): string[] {
  return [
    `create table alias_keys (
      school_id ${integer} not null references schools (id) on delete cascade,
      match_key ${key} not null,
      primary key (school_id, match_key)
    ) ${tableOptions}`,
    'create index alias_keys_by_match on alias_keys (match_key)',
  ];
}

/** How many schools are read at once. */
const BATCH_SIZE = 500;

/** Adds the keys of the aliases that schools have already. SQL cannot fold them. */
export const fill: Fill = async (db) => {
  let after = 0;
  for (;;) {
    const { rows } = await sql<{ id: number; aliases: string }>`
      select id, aliases from schools where id > ${after} order by id limit ${BATCH_SIZE}`.execute(db);
    for (const { id, aliases } of rows) {
      const keys = new Set((JSON.parse(aliases) as string[]).map(nameKey));
      for (const key of keys) {
        await sql`insert into alias_keys (school_id, match_key) values (${id}, ${key})`.execute(db);
      }
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
};
