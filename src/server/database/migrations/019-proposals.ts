import { sql } from 'kysely';
import { nameKey } from '../../../contract/folding.ts';
import type { ColumnTypes, Fill } from '../migrate.ts';

export const name = '019-proposals';

/** Proposed schools and entries, and the key that shows whether a school exists already. */
export function statements({ id, integer, key, tableOptions }: ColumnTypes): string[] {
  return [
    `alter table schools add column match_key ${key} not null default ''`,
    // Right for most names, those without punctuation: `fill` corrects the others.
    'update schools set match_key = name_key',
    'create index schools_by_match on schools (match_key)',
    // Deleting an account sets the proposer to null; deleting a school deletes the proposals for it.
    `create table proposals (
      id ${id},
      kind text not null,
      state text not null,
      user_id ${integer} references users (id) on delete set null,
      created_at ${integer} not null,
      decided_at ${integer},
      equal_key ${key} not null,
      school_id ${integer} references schools (id) on delete cascade,
      category text,
      name text not null,
      location text,
      description text not null,
      half_stars ${integer},
      review text,
      is_anonymous ${integer},
      relation text,
      since ${integer},
      until ${integer},
      reason text,
      made_id ${integer},
      obstacle text
    ) ${tableOptions}`,
    // At most one open proposal of the same thing, even if many people send it at once.
    'create unique index proposals_open_equal on proposals (equal_key) where decided_at is null',
    'create index proposals_by_age on proposals (state, created_at, id)',
    'create index proposals_decided on proposals (state, decided_at, id)',
    'create index proposals_by_user on proposals (user_id, created_at, id)',
    'create index proposals_by_school on proposals (school_id)',
  ];
}

/** How many schools are read at once. */
const BATCH_SIZE = 500;

/** Corrects the keys of names with punctuation, which SQL cannot fold. */
export const fill: Fill = async (db) => {
  let after = 0;
  for (;;) {
    const { rows } = await sql<{ id: number; school_name: string; match_key: string }>`
      select id, school_name, match_key from schools where id > ${after} order by id limit ${BATCH_SIZE}`.execute(db);
    for (const { id, school_name, match_key } of rows) {
      const key = nameKey(school_name);
      if (key !== match_key) await sql`update schools set match_key = ${key} where id = ${id}`.execute(db);
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
};
