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

/** The types of pg leave out what every client has. */
function streamOf(client: pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/**
 * Gives a connection up whose server has gone silent while it is used, without closing it: by itself it would wait for
 * ever. An idle one is silent because nobody asks.
 */
function endWhenSilent(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const stream = streamOf(client);
    stream.on('timeout', () => {
      stream.destroy(Object.assign(new Error('The database server is silent.'), { code: 'ETIMEDOUT' }));
    });
  });
  pool.on('acquire', (client) => streamOf(client).setTimeout(SILENCE_MAX_MS));
  pool.on('release', (_error, client) => streamOf(client).setTimeout(0));
}

/** Whether a query waited in vain for one of the pool's connections: all of them were in use. */
export function isPoolBusy(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}

/** Connections to one server, all of which can be made anew without disturbing who uses them. */
export class RenewablePool extends pg.Pool {
  readonly #there = new Set<pg.PoolClient>();
  readonly #outdated = new WeakSet<pg.PoolClient>();

  constructor(config: pg.PoolConfig) {
    super(config);
    this.on('connect', (client) => void this.#there.add(client));
    this.on('remove', (client) => void this.#there.delete(client));
    this.on('release', (_error, client) => {
      // The pool lets go of a connection that is about to end. The types of pg leave out what every client has.
      if (this.#outdated.has(client)) void (client as unknown as pg.Client).end();
    });
  }

  /** Ends the connections that are there: the idle ones now, the others as they come back. */
  async renew(): Promise<void> {
    for (const client of this.#there) this.#outdated.add(client);
    await Promise.allSettled(Array.from({ length: this.idleCount }, async () => (await this.connect()).release()));
  }
}

export interface PoolOptions {
  /** Connections at most; the next query waits for one. */
  max?: number | undefined;
  /** Lets a statement take as long as it takes: for migrations. */
  isPatient?: boolean;
}

/** Connections to one server; connects when first asked for one. */
export function openPool(url: string, { max = POOL_MAX, isPatient = false }: PoolOptions = {}): RenewablePool {
  const pool = new RenewablePool({
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
  });
  if (!isPatient) endWhenSilent(pool);
  return pool;
}
