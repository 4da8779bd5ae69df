import { type RawBuilder, sql } from 'kysely';
import type { Connection } from '../database.ts';
import type { ColumnTypes, QuickMigration, SlowMigration } from '../migrate.ts';

// Prepares keys that include the school of each row: see docs/decisions/060-school-keys.md.

/** The school of each entry, for callers that know only the entry's id. All other statements about it name both. */
export const entrySchools: QuickMigration = {
  name: '060-entry-schools',
  statements({ engine, integer, tableOptions }: ColumnTypes): string[] {
    return [
      `create table entry_schools (
      entry_id ${integer} primary key,
      school_id ${integer} not null
    ) ${tableOptions}`,
      'create index entry_schools_by_school on entry_schools (school_id)',
      ...(engine === 'postgres' ? [...SERVE_VERSION_BEFORE, STATISTICS] : []),
    ];
  },
};

/** Updates the directory when processes of the previous version add, merge and delete entries. */
const SERVE_VERSION_BEFORE = [
  `create function note_school_of_entry() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' then
      delete from entry_schools where entry_id = old.id and school_id = old.school_id;
    else
      insert into entry_schools (entry_id, school_id) values (new.id, new.school_id)
        on conflict (entry_id) do update set school_id = excluded.school_id
          where entry_schools.school_id <> excluded.school_id;
    end if;
    return null;
  end $$`,
  `create trigger entries_noted after insert or delete on entries
    for each row execute function note_school_of_entry()`,
  `create trigger entries_moved after update of school_id on entries
    for each row when (old.school_id <> new.school_id) execute function note_school_of_entry()`,
];

/** Tells the planner that entry and school depend on each other: it would expect far too few rows. */
const STATISTICS = 'create statistics reviews_of_entries (dependencies) on entry_id, school_id from reviews';

const COVERED = 'relation, helpful, hidden_at, withdrawn_at, school_id';

/** How many entries one statement adds. */
const BATCH_SIZE = 5_000;

/** Unique keys for upserts that name the school, and indexes of lists that contain it. Fills the directory. */
export const indexesOfSchools: SlowMigration = {
  name: '061-indexes-of-schools',
  indexes: ({ engine }) => [
    `create index reviews_newest_of_entry on reviews (entry_id, created_at, id, half_stars, ${COVERED})`,
    ...(engine === 'postgres'
      ? [
          // For upserts. On SQLite these use the keys without the school: another index would cost each post a write.
          'create unique index relation_counts_of_school on relation_counts (entry_id, relation, school_id)',
          'create unique index moderation_items_of_school on moderation_items (review_id, school_id)',
          'create index reviews_best_of_entry on reviews (entry_id, half_stars, created_at, id, relation, hidden_at, withdrawn_at, school_id)',
        ]
      : []),
  ],
  backfill: noteEntries,
};

/**
 * The entries up to this id are in the directory. It is kept between batches: a search for missing entries among two
 * million takes a second, and is made once at the end, for entries that an interrupted run has left out.
 */
let noted = 0;

async function noteEntries(db: Connection): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`
    select max(id) as id from (select id from entries where id > ${noted} order by id limit ${BATCH_SIZE}) as batch`.execute(
    db,
  );
  const last = rows[0]?.id ?? undefined;
  if (last === undefined) {
    noted = 0;
    return note(db, sql`not exists (select 1 from entry_schools where entry_schools.entry_id = entries.id)`);
  }
  await note(db, sql`id > ${noted} and id <= ${last}`);
  noted = last;
  return BATCH_SIZE;
}

/** Leaves existing rows alone: a row that another process has added meanwhile is newer than what this one read. */
async function note(db: Connection, which: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into entry_schools (entry_id, school_id) select id, school_id from entries
    where ${which} on conflict (entry_id) do nothing`.execute(db);
  return Number(numAffectedRows);
}

/** Drops indexes whose successors in 061 begin with the same columns, and so serve the previous version too. */
export const replacedIndexes: QuickMigration = {
  name: '062-replaced-indexes',
  statements: ({ engine }: ColumnTypes): string[] => [
    'drop index reviews_by_time',
    ...(engine === 'postgres' ? ['drop index reviews_by_rating'] : []),
  ],
};
