import { sql } from 'kysely';
import { EVERYTHING } from './change-tags.ts';
import type { Commit, Connection, Database } from './database.ts';
import { isForeignTable, isLockTimeout, UnusableDatabase } from './failures.ts';
import { migrate } from './migrate.ts';
import {
  APPEND_ONLY,
  createTableDigest,
  DATA_TABLES,
  type DataTable,
  type Digest,
  digestTables,
  findDifference,
  hashOf,
  isEmpty,
  readRows,
  type TableDigest,
  writtenColumns,
} from './table-rows.ts';

/** Longer than a server takes to start or to write. */
const LOCK_TIMEOUT_MS = 3_000;

/** A comment on a table of the target records the hash of the moved rows: a later run compares it to detect changes. */
const NOTE = 'Moved here from SQLite, rows ';

const allTables = () => sql.join(DATA_TABLES.map((table) => sql.table(table)));

/** Creates or migrates the tables, and locks them against other writers until the transaction ends. */
async function claimTarget(target: Database, db: Connection, commit: Commit): Promise<void> {
  // The timeout is for requests. Copying a whole table takes longer.
  await sql`set local statement_timeout = 0`.execute(db);
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(db);
  try {
    await migrate({ ...target, write: (body) => body(db, commit) });
    await sql`lock table ${allTables()} in exclusive mode`.execute(db);
  } catch (error) {
    if (error instanceof UnusableDatabase) throw new UnusableDatabase(`The target cannot be used. ${error.message}`);
    if (isLockTimeout(error)) {
      throw new UnusableDatabase('The target is in use. Stop what works on it, then move. Nothing was changed.');
    }
    if (isForeignTable(error)) {
      throw new UnusableDatabase('The target holds tables of something else. Name an empty database.');
    }
    throw error;
  }
}

async function readNote(db: Connection): Promise<string | undefined> {
  const { rows } = await sql<{ note: string | null }>`
    select obj_description('migrations'::regclass, 'pg_class') as note`.execute(db);
  const note = rows[0]?.note;
  return note?.startsWith(NOTE) ? note.slice(NOTE.length) : undefined;
}

/** A comment on a table, because a dump of the tables includes it. */
async function writeNote(db: Connection, hash: string): Promise<void> {
  await sql`comment on table migrations is ${sql.lit(`${NOTE}${hash}`)}`.execute(db);
}

/**
 * Empties a target whose rows are all from an earlier run.
 * @returns the target's digest if it already has every row of the source
 * @throws when it has other rows: two sites must never be mixed, and no later write may be lost
 */
async function makeRoom(source: Connection, db: Connection): Promise<Digest | undefined> {
  const there = await digestTables(db);
  if (isEmpty(there)) return undefined;
  if (findDifference(there, await digestTables(source)) === undefined) return there;
  if ((await readNote(db)) !== hashOf(there)) {
    throw new UnusableDatabase(
      'The target holds other data, or has been used since it was moved to. Name an empty database. Nothing was changed.',
    );
  }
  // Append-only tables may be emptied here: their rows are a copy, and the source still has them.
  const setTriggers = async (state: 'disable' | 'enable') => {
    for (const table of APPEND_ONLY) {
      await sql`alter table ${sql.table(table)} ${sql.raw(state)} trigger ${sql.ref(`${table}_no_truncate`)}`.execute(
        db,
      );
    }
  };
  await setTriggers('disable');
  await sql`truncate ${allTables()}`.execute(db);
  await setTriggers('enable');
  return undefined;
}

/** Called after each batch. */
type OnMoved = (table: DataTable, rows: number) => void;

async function copyTable(source: Connection, db: Connection, table: DataTable, onMoved: OnMoved): Promise<TableDigest> {
  const digest = createTableDigest();
  let amount = 0;
  for await (const rows of readRows(source, table)) {
    const columns = sql.join(writtenColumns(table, rows[0] ?? {}).map((column) => sql.ref(column)));
    // One parameter for the whole batch: the property names in its JSON are the columns.
    await sql`
      insert into ${sql.table(table)} (${columns})
      select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`.execute(
      db,
    );
    digest.add(rows);
    amount += rows.length;
    onMoved(table, amount);
  }
  return digest.finish();
}

async function copyTables(source: Connection, db: Connection, onMoved: OnMoved): Promise<Digest> {
  const digests: Partial<Record<DataTable, TableDigest>> = {};
  for (const table of DATA_TABLES) digests[table] = await copyTable(source, db, table, onMoved);
  const copied = digests as Digest;
  // Before ANALYZE, PostgreSQL plans queries as if the tables were empty.
  await sql`analyze ${allTables()}`.execute(db);
  const difference = findDifference(copied, await digestTables(db));
  if (difference) {
    throw new UnusableDatabase(`The rows of ${difference} did not arrive as they were. Nothing was changed.`);
  }
  return copied;
}

/** An id that the source has ever assigned is never reused. Sequences are not rolled back, so they are only raised. */
async function raiseSequences(source: Connection, db: Connection): Promise<void> {
  const { rows } = await sql<{
    name: string;
    seq: number;
  }>`select name, seq from sqlite_sequence where seq > 0`.execute(source);
  for (const { name, seq } of rows) {
    await sql`
      select setval(sequence, greatest(cast(${seq} as bigint), coalesce(pg_sequence_last_value(sequence), 0)))
      from (select pg_get_serial_sequence(${name}, 'id')::regclass as sequence) as sequences`.execute(db);
  }
}

interface MoveOptions {
  /** Checks the target before the commit. @throws when something is wrong */
  prove(db: Connection): Promise<void>;
  onMoved: OnMoved;
}

export interface Moved {
  /** The number of rows that the target now has. */
  readonly digest: Digest;
  /** Whether an earlier run had already moved every row. */
  readonly wasThere: boolean;
}

/**
 * Copies every row of an SQLite database to PostgreSQL. One transaction creates the tables and copies the rows: if it
 * fails, the target is unchanged and the next run has nothing to repair.
 * @param source must not change meanwhile
 * @throws {UnusableDatabase} when the target cannot take the rows
 */
export function moveRows(source: Connection, target: Database, { prove, onMoved }: MoveOptions): Promise<Moved> {
  return target.write(async (db, commit) => {
    await claimTarget(target, db, commit);
    const there = await makeRoom(source, db);
    const digest = there ?? (await copyTables(source, db, onMoved));
    await prove(db);
    await raiseSequences(source, db);
    await writeNote(db, hashOf(digest));
    commit.invalidate(EVERYTHING);
    return { digest, wasThere: there !== undefined };
  });
}
