/** Classifies the errors of both engines. */

/** A database that this version must not or cannot use. The message says why in one sentence. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase';
}

/** The database is unavailable for now, for a reason that is no error of its engine. `name` is logged with the message. */
export class UnavailableDatabase extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** SQLite result codes: https://www.sqlite.org/rescode.html */
const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;
const SQLITE_UNAVAILABLE = new Set([
  ...[SQLITE_BUSY, SQLITE_FULL],
  ...[6 /* locked */, 8 /* read-only */, 10 /* I/O */, 14 /* cannot open */],
]);
const SQLITE_DAMAGED = new Set([11 /* corrupt */, 26 /* not a database */]);
const SQLITE_FOREIGN_KEY = 787;
const SQLITE_UNIQUE = 2067;

/** PostgreSQL error classes: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const POSTGRES_UNAVAILABLE = /^(08|53|57|58|25006|XX)/;
const POSTGRES_FOREIGN_KEY = '23503';
const POSTGRES_RETRIABLE = new Set(['40001', '40P01']);
const POSTGRES_LOCK_TIMEOUT = '55P03';
const POSTGRES_ROLLED_BACK = new Set([
  '22012' /* division by zero */,
  '0A000' /* feature not supported */,
  POSTGRES_LOCK_TIMEOUT,
]);
const POSTGRES_UNIQUE = '23505';
/**
 * The errors of a table that is not the product's: it is missing after its migration, exists before it, or lacks a
 * column.
 */
const POSTGRES_UNEXPECTED_TABLE = new Set(['42P01', '42P07', '42703']);

const POSTGRES_CANCELED = '57014';
const POSTGRES_READ_ONLY = '25006';

const NETWORK_UNAVAILABLE = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  // There is no Unix socket at the path, or the process has too many open files.
  ...['ENOENT', 'EMFILE'],
]);

/** Messages of driver errors that have no code: no connection was available, or one broke. */
const BROKEN_CONNECTION =
  /timeout exceeded when trying to connect|timeout expired|connection terminated|not queryable|does not support SSL/i;

/** SQLite's error without the details in its higher bits. */
const sqliteCodeOf = (error: unknown) => codeOf(error).errcode & 0xff;

function codeOf(error: unknown): { code: string; errcode: number } {
  const { code = '', errcode = 0 } = (error ?? {}) as { code?: string; errcode?: number };
  return { code: String(code), errcode };
}

const hasCode =
  (...codes: readonly string[]) =>
  (error: unknown): boolean =>
    codes.includes(codeOf(error).code);

export function isForeignKeyViolation(error: unknown): boolean {
  const { code, errcode } = codeOf(error);
  return errcode === SQLITE_FOREIGN_KEY || code === POSTGRES_FOREIGN_KEY;
}

/** Another row already has a value that only one row may have. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = codeOf(error);
  return errcode === SQLITE_UNIQUE || code === POSTGRES_UNIQUE;
}

/**
 * Pairs of keys that forbid the same row, one without and one with the school. While another transaction adds that row,
 * a statement waits only at the key that its ON CONFLICT names. At the other key it fails.
 */
const DOUBLE_KEYS =
  /^(moderation_items_pkey|moderation_items_of_school|relation_counts_pkey|relation_counts_of_school)$/;

/** A conflict with another transaction: this one can be run again. */
export function isSerializationFailure(error: unknown): boolean {
  const { code } = codeOf(error);
  const { constraint = '' } = (error ?? {}) as { constraint?: string };
  return POSTGRES_RETRIABLE.has(code) || (code === POSTGRES_UNIQUE && DOUBLE_KEYS.test(constraint));
}

/**
 * A statement of `writeInOneStatement` was rolled back for a reason that a transaction may not meet: a conflict with
 * another transaction; a lock that it waited for too long; a division by zero, with which such a statement aborts
 * itself; or an engine that does not support its syntax.
 */
export function isRolledBack(error: unknown): boolean {
  return isSerializationFailure(error) || POSTGRES_ROLLED_BACK.has(codeOf(error).code);
}

/** PostgreSQL's `lock_timeout` has passed. */
export const isLockTimeout = hasCode(POSTGRES_LOCK_TIMEOUT);

/** Another transaction has just created a table that this one creates too and had not found. */
export function isCatalogRace(error: unknown): boolean {
  const { constraint = '' } = (error ?? {}) as { constraint?: string };
  return codeOf(error).code === POSTGRES_UNIQUE && /^pg_(type|class)_/.test(constraint);
}

/** During a migration this error means that the tables are not the product's. */
export const isUnexpectedTable = hasCode(...POSTGRES_UNEXPECTED_TABLE);

/** The server refuses writes: it is a standby, or is set to read-only. */
export const isReadOnly = hasCode(POSTGRES_READ_ONLY);

/** The statement took longer than `statement_timeout`. */
export const isCanceled = hasCode(POSTGRES_CANCELED);

/** Another process holds SQLite's write lock. */
export function isBusy(error: unknown): boolean {
  return sqliteCodeOf(error) === SQLITE_BUSY;
}

/** An SQLite database cannot write, because its disk is full. */
export function isFull(error: unknown): boolean {
  return sqliteCodeOf(error) === SQLITE_FULL;
}

export function isSqliteError(error: unknown): error is Error {
  return codeOf(error).code === 'ERR_SQLITE_ERROR';
}

/** The file is damaged or not a database. */
export function isDamaged(error: unknown): boolean {
  return isSqliteError(error) && SQLITE_DAMAGED.has(sqliteCodeOf(error));
}

/** What an operator is told of a damaged file. @param reason SQLite's message */
export const damagedText = (reason: string) => `The database is damaged: ${reason}. Restore a backup.`;

/** The database is unavailable for now (busy, full, unreachable), or a transaction failed on every retry. */
export function isUnavailable(error: unknown): boolean {
  const { code } = codeOf(error);
  if (error instanceof UnavailableDatabase) return true;
  if (isSqliteError(error)) return SQLITE_UNAVAILABLE.has(sqliteCodeOf(error));
  if (NETWORK_UNAVAILABLE.has(code) || POSTGRES_UNAVAILABLE.test(code) || POSTGRES_RETRIABLE.has(code)) return true;
  return error instanceof Error && BROKEN_CONNECTION.test(error.message);
}

/**
 * The fields of a log line about a failure. For an unavailable database the code and message are enough: the stack is
 * always the same, and other fields of the error could contain values of a row. Any other error is logged completely.
 */
export function failureFields(error: unknown): { reason: string } | { err: unknown } {
  if (!(error instanceof Error) || !isUnavailable(error)) return { err: error };
  // When a connection is refused on every address of a host name, the error has a code and no message.
  const { code, errcode } = codeOf(error);
  return { reason: [code || errcode || error.name, error.message].filter(Boolean).join(': ') };
}
