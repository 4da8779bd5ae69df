import type { Socket } from 'node:net';
import pg from 'pg';

/** For commands; the server passes DATABASE_POOL. */
const POOL_MAX = 10;
/** Stay open when idle: if other clients took the server's last connections, this process could not reconnect. */
const POOL_MIN = 2;
const CONNECT_TIMEOUT_MS = 2_000;
/** How long no further connection is asked for after the server had none left. */
const ASK_AGAIN_AFTER_MS = 1_000;
/** SQLSTATE too_many_connections: of the server, the database or the role. */
const TOO_MANY_CONNECTIONS = '53300';
const STATEMENT_TIMEOUT_MS = 10_000;
/** A server that still works has reported the statement timeout by then. */
const SILENCE_MAX_MS = STATEMENT_TIMEOUT_MS + 1_000;

/** The driver returns bigint and numeric sums as text by default; every number here is exact in a double. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC) return Number;
    return pg.types.getTypeParser(oid, format);
  },
};

/** The types of pg omit a property that every client has. */
function streamOf(client: pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/**
 * Destroys a connection whose server sends nothing while a query is in flight and has not closed it either: the query
 * would otherwise wait for ever. Idle connections are exempt, since they receive nothing anyway.
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

/** Whether a query got no connection because all connections of the pool stayed in use. */
export function isPoolBusy(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}

type ConnectCallback = Parameters<pg.Pool['connect']>[0];

/**
 * A pool whose connections can all be replaced without disturbing queries in flight, and which gets by with those it
 * has while the server gives no more.
 */
export class RenewablePool extends pg.Pool {
  readonly #there = new Set<pg.PoolClient>();
  readonly #outdated = new WeakSet<pg.PoolClient>();
  readonly #max: number;

  constructor(config: pg.PoolConfig & { max: number }) {
    super(config);
    this.#max = config.max;
    this.on('connect', (client) => void this.#there.add(client));
    this.on('remove', (client) => void this.#there.delete(client));
    this.on('release', (_error, client) => {
      // The pool forgets a connection that is ending. The types of pg omit a method that every client has.
      if (this.#outdated.has(client)) void (client as unknown as pg.Client).end();
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    if (!callback) return this.#connectOrWait();
    super.connect(callback);
  }

  async #connectOrWait(): Promise<pg.PoolClient> {
    try {
      return await super.connect();
    } catch (error) {
      if ((error as { code?: string }).code !== TOO_MANY_CONNECTIONS || this.#there.size === 0) throw error;
      // A pool that counts as full queues its queries for the connections that are there, first come, first served.
      this.options.max = this.#there.size;
      setTimeout(() => {
        this.options.max = this.#max;
      }, ASK_AGAIN_AFTER_MS).unref();
      return super.connect();
    }
  }

  /** Ends the open connections: the idle ones now, the others when they are released. */
  async renew(): Promise<void> {
    for (const client of this.#there) this.#outdated.add(client);
    await Promise.allSettled(Array.from({ length: this.idleCount }, async () => (await this.connect()).release()));
  }
}

interface PoolOptions {
  /** Connections at most; further queries wait for one to be released. */
  max?: number | undefined;
  /** Sets no statement timeout: for migrations. */
  allowsLongStatements?: boolean;
}

/** Connections to one server; the first is opened with the first query. */
export function openPool(
  url: string,
  { max = POOL_MAX, allowsLongStatements = false }: PoolOptions = {},
): RenewablePool {
  const pool = new RenewablePool({
    connectionString: url,
    fallback_application_name: 'school-reviews',
    max,
    min: Math.min(POOL_MIN, max),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...(!allowsLongStatements && { statement_timeout: STATEMENT_TIMEOUT_MS }),
    keepAlive: true,
    types: types as pg.CustomTypesConfig,
  });
  // The query in flight on a broken connection fails by itself, and the next query gets a new connection; without a
  // listener the error event would end the process. The pool itself listens on idle connections only.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
  });
  if (!allowsLongStatements) endWhenSilent(pool);
  return pool;
}
