import { statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import {
  Kysely,
  type LimitNode,
  type SqliteDatabase,
  SqliteDialect,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely';
import { isBusy, isSqliteError, UnusableDatabase } from './failures.ts';
import { runPrepared } from './prepared-query.ts';
import { mapFile } from './sqlite-mapping.ts';
import { createSnapshots, type Snapshots } from './sqlite-snapshots.ts';
import type { Tables } from './tables.ts';

/**
 * The longest wait for a lock inside SQLite. It blocks the event loop: with a timeout of 5 s a concurrent GET waited
 * 5 s. It applies only while opening and closing; transactions wait asynchronously (`begin` in sqlite.ts).
 */
const BUSY_TIMEOUT_MS = 50;

/** Statements are few and fixed by the code. The limit only stops an unforeseen leak. */
const STATEMENTS_MAX = 500;

/**
 * Rows as plain objects: the driver's own rows have no prototype, on which JSON.stringify is 3 to 4 times slower.
 */
function plainRow(names: readonly string[], values: unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index += 1) row[names[index] as string] = values[index];
  return row;
}

/** @param readElsewhere reads what finds the file locked */
function adaptStatement(
  statement: StatementSync,
  snapshots?: Snapshots,
  readElsewhere?: SqliteStatement['all'],
): SqliteStatement {
  const names = statement.columns().map((column) => column.name);
  statement.setReturnArrays(true);
  // Safe: the types of the tables allow only text, numbers and null.
  const bind = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  // Safe: a row is an array after `setReturnArrays`, which the types of Node do not say.
  const rowOf = (values: unknown) => plainRow(names, values as unknown[]);
  return {
    reader: names.length > 0,
    all(parameters) {
      snapshots?.begin();
      try {
        return statement.all(...bind(parameters)).map((values) => rowOf(values));
      } catch (error) {
        if (!readElsewhere || !isBusy(error)) throw error;
        return readElsewhere(parameters);
      }
    },
    run(parameters) {
      // A transaction begins, which cannot begin within that of a snapshot.
      snapshots?.end();
      return statement.run(...bind(parameters));
    },
    iterate() {
      throw new Error('Rows are read all at once: the connection may write between two of them.');
    },
  };
}

/**
 * Adapts node's built-in driver to Kysely's SQLite dialect and prepares each statement once.
 * @param other reads what finds the file locked
 */
function adaptDatabase(database: DatabaseSync, snapshots?: Snapshots, other?: SqliteDatabase): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      let statement = statements.get(sql);
      if (!statement) {
        if (statements.size >= STATEMENTS_MAX) statements.clear();
        const readElsewhere = other && ((parameters: readonly unknown[]) => other.prepare(sql).all(parameters));
        statement = adaptStatement(database.prepare(sql), snapshots, readElsewhere);
        statements.set(sql, statement);
      }
      return statement;
    },
  };
}

/**
 * Hides the number of rows from SQLite's planner. It compiles a statement with `limit ?` anew whenever the parameter is
 * bound, even to the same number: 8 of the 28 µs of a list of reviews.
 */
class QueryCompiler extends SqliteQueryCompiler {
  protected override visitLimit({ limit }: LimitNode): void {
    this.append('limit +');
    this.visitNode(limit);
  }
}

class Dialect extends SqliteDialect {
  override createQueryCompiler(): SqliteQueryCompiler {
    return new QueryCompiler();
  }
}

export interface SqliteConnection extends Disposable {
  readonly raw: DatabaseSync;
  readonly kysely: Kysely<Tables>;
}

/** @throws {UnusableDatabase} when this user may not open the file */
function openFile(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  } catch (error) {
    const owner = statSync(path, { throwIfNoEntry: false })?.uid;
    if (!isSqliteError(error) || owner === undefined || owner === process.getuid?.()) throw error;
    throw new UnusableDatabase(`${path} cannot be opened: it belongs to user ${owner}, not to ${process.getuid?.()}.`);
  }
}

/** Opens one connection with the settings that durability and integrity need, and checks that SQLite accepted them. */
export function connectSqlite(path: string, options: { readOnly: boolean }): DatabaseSync {
  const raw = openFile(path);
  raw.exec('PRAGMA journal_mode = WAL');
  raw.exec('PRAGMA synchronous = FULL');
  // Only 8 MB: pages outside the log are read from the mapped file, and every commit scans the whole cache.
  raw.exec('PRAGMA cache_size = -8192');
  // A fallback far above the lengths at which `createCheckpoints` copies the log, because it blocks the event loop.
  raw.exec('PRAGMA wal_autocheckpoint = 24000');
  mapFile(raw);
  enableSecureDelete(raw);
  if (options.readOnly) raw.exec('PRAGMA query_only = ON');
  const setting = (name: string) => Object.values(raw.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  if (setting('journal_mode') !== 'wal' || setting('synchronous') !== 2 || setting('foreign_keys') !== 1) {
    throw new Error('SQLite did not take the settings for write-ahead logging, full synchronisation or foreign keys.');
  }
  return raw;
}

/** Overwrites deleted data with zeros: it would stay in free pages for years. */
function enableSecureDelete(raw: DatabaseSync): void {
  raw.exec('PRAGMA secure_delete = ON');
}

/** Opens a file that no other process uses, with SQLite's defaults: a copy for a backup or a restore. */
export function connectSqliteCopy(path: string): SqliteConnection {
  const raw = new DatabaseSync(path);
  enableSecureDelete(raw);
  return connectionOver(raw);
}

/**
 * Opens a file that no process has open, read-only: without a lock, and without the log that SQLite otherwise creates
 * beside it even for a reader (https://www.sqlite.org/uri.html#uriimmutable).
 */
export function connectSqliteUnchanging(path: string): SqliteConnection {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return connectionOver(new DatabaseSync(url, { readOnly: true }));
}

function connectionOver(raw: DatabaseSync): SqliteConnection {
  return { raw, kysely: kyselyOver(adaptDatabase(raw)), [Symbol.dispose]: () => raw[Symbol.dispose]() };
}

function kyselyOver(database: SqliteDatabase): Kysely<Tables> {
  const kysely = new Kysely<Tables>({ dialect: new Dialect({ database }) });
  runPrepared(kysely, (_name, text, values) => {
    const statement = database.prepare(text);
    if (statement.reader) return statement.all(values);
    statement.run(values);
    return [];
  });
  return kysely;
}

/** A statement that changes nothing, whatever the connection may do. */
const IS_SELECT = /^select\b/i;

/**
 * Reads through the connection that writes: at a commit, each other connection loses its cached pages and its mapping of
 * the file. While a group is being written, the other connection reads, which sees only what is committed. It also runs
 * transactions and all that is no plain select, because it can change nothing, and reads again what found the file
 * locked, because it may wait.
 */
export function createReader(writing: DatabaseSync, other: DatabaseSync) {
  const snapshots = createSnapshots(writing);
  const otherSnapshots = createSnapshots(other);
  const otherDatabase = adaptDatabase(other, otherSnapshots);
  const database = adaptDatabase(writing, snapshots, otherDatabase);
  const canShare = (text: string) => snapshots.canBegin() && !other.isTransaction && IS_SELECT.test(text);
  return {
    kysely: kyselyOver({
      close: () => {},
      prepare: (text) => (canShare(text) ? database : otherDatabase).prepare(text),
    }),
    /** Ends the snapshots of this iteration: the next read sees what is committed by now. */
    endSnapshots(): void {
      snapshots.end();
      otherSnapshots.end();
    },
  };
}

/**
 * The connection of the writes in a transaction. After an error with which SQLite has rolled it back, it runs nothing
 * more: queries that were sent together with the failed one would be committed without it.
 */
export function createWriting(raw: DatabaseSync, endSnapshots: () => void): Kysely<Tables> {
  const database = adaptDatabase(raw);
  return kyselyOver({
    close: () => {},
    prepare(text) {
      // A read may have begun a snapshot since the rollback.
      endSnapshots();
      if (!raw.isTransaction) throw new Error('The transaction was rolled back after a failure.');
      return database.prepare(text);
    },
  });
}
