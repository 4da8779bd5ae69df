import type { Socket } from 'node:net';
import pg from 'pg';

/** Where no setting says otherwise. */
const POOL_MAX = 10;
/** Stay open without work: a server whose last connections others have taken would give none back. */
const POOL_MIN = 2;
const CONNECT_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 10_000;
/** Past the statement timeout a server that can still speak has said so. */
const SILENCE_MAX_MS = STATEMENT_TIMEOUT_MS + 1_000;

/** bigint and numeric sums arrive as text by default; every number here is exact in a double. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC) return Number;
    return pg.types.getTypeParser(oid, format);
  },
};

/** Gives a connection up whose server has gone silent without closing it: by itself it would wait for ever. */
function endWhenSilent(client: pg.PoolClient): void {
  // The types of pg leave out what every client has.
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.setTimeout(SILENCE_MAX_MS, () => {
    stream.destroy(Object.assign(new Error('The database server is silent.'), { code: 'ETIMEDOUT' }));
  });
}

export interface PoolOptions {
  /** Connections at most; the next query waits for one. */
  max?: number | undefined;
  /** Lets a statement take as long as it takes: for migrations. */
  isPatient?: boolean;
}

/** Connections to one server; connects when first asked for one. */
export function openPool(url: string, { max = POOL_MAX, isPatient = false }: PoolOptions = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    fallback_application_name: 'school-reviews',
    max,
    min: Math.min(POOL_MIN, max),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...(!isPatient && { statement_timeout: STATEMENT_TIMEOUT_MS }),
    keepAlive: true,
    types: types as pg.CustomTypesConfig,
  });
  // A connection that breaks is replaced at the next query, and the query in hand fails by itself; without a listener
  // it would end the process. The pool listens to the idle ones alone, and not while one is in use.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    if (!isPatient) endWhenSilent(client);
  });
  return pool;
}
