import type { Socket } from 'node:net';
import pg from 'pg';

/** The maximum for commands. The server passes the setting DATABASE_POOL. */
const POOL_MAX = 10;
/** How many stay open when idle: otherwise other clients could take the last connections that the server allows. */
const POOL_MIN = 2;
const CONNECT_TIMEOUT_MS = 2_000;
/** How long the pool opens no further connection after the server had none left. */
const ASK_AGAIN_AFTER_MS = 1_000;
/** SQLSTATE too_many_connections: of the server, the database or the role. */
const TOO_MANY_CONNECTIONS = '53300';
const STATEMENT_TIMEOUT_MS = 10_000;
/**
 * After this long, a silent server is taken for dead: a working one would have reported the statement timeout before.
 */
const SILENCE_MAX_MS = STATEMENT_TIMEOUT_MS + 1_000;

/** By default the driver returns bigint and numeric sums as text. Every number here is exact as a double. */
const typeParsers = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC) return Number;
    return pg.types.getTypeParser(oid, format);
  },
};

/**
 * The socket of a connection, or its TLS stream. A cast, because the types of pg omit a property that every client has.
 * @throws in a version of pg that no longer has it
 */
function streamOf(client: object): Socket {
  const { stream } = (client as { connection?: { stream?: Socket } }).connection ?? {};
  if (!stream) throw new Error('This version of pg does not tell the socket of a connection.');
  return stream;
}

/**
 * Destroys a connection whose server sends nothing while a query is in flight: the query would otherwise wait for ever.
 * Idle connections are exempt, because they receive nothing anyway.
 */
function endWhenSilent(pool: pg.Pool): void {
  // Called before the first connection, so that the product does not even start with an unsuitable version of pg.
  streamOf(new pg.Client());
  pool.on('connect', (client) => {
    const stream = streamOf(client);
    stream.on('timeout', () => {
      stream.destroy(Object.assign(new Error('The database server is silent.'), { code: 'ETIMEDOUT' }));
    });
  });
  pool.on('acquire', (client) => streamOf(client).setTimeout(SILENCE_MAX_MS));
  pool.on('release', (_error, client) => streamOf(client).setTimeout(0));
}

/** Whether a query got no connection because all those of the pool were in use. */
export function isPoolBusy(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}

type ConnectCallback = Parameters<pg.Pool['connect']>[0];

/**
 * A pool whose connections can all be replaced without disturbing queries in flight. While the server refuses further
 * connections, the pool works with those it has.
 */
export class RenewablePool extends pg.Pool {
  readonly #openClients = new Set<pg.PoolClient>();
  readonly #outdatedClients = new WeakSet<pg.PoolClient>();
  readonly #max: number;

  constructor(config: pg.PoolConfig & { max: number }) {
    super(config);
    this.#max = config.max;
    this.on('connect', (client) => void this.#openClients.add(client));
    this.on('remove', (client) => void this.#openClients.delete(client));
    this.on('release', (_error, client) => {
      // The pool removes a connection that is ending. A cast, because the types of pg omit a method that every client
      // has.
      if (this.#outdatedClients.has(client)) void (client as unknown as pg.Client).end();
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
      if ((error as { code?: string }).code !== TOO_MANY_CONNECTIONS || this.#openClients.size === 0) throw error;
      // While the pool counts as full, queries wait in order for one of its open connections.
      this.options.max = this.#openClients.size;
      setTimeout(() => {
        this.options.max = this.#max;
      }, ASK_AGAIN_AFTER_MS).unref();
      return super.connect();
    }
  }

  /** Ends the open connections: the idle ones now, the others when they are released. */
  async renew(): Promise<void> {
    for (const client of this.#openClients) this.#outdatedClients.add(client);
    await Promise.allSettled(Array.from({ length: this.idleCount }, async () => (await this.connect()).release()));
  }
}

interface PoolOptions {
  /** The maximum number of connections. Further queries wait until one is released. */
  max?: number | undefined;
  /** Sets no statement timeout: for migrations. */
  allowsLongStatements?: boolean;
  /** Pipelines the queries of a connection: each is sent without waiting for the answers to those before. */
  sendsTogether?: boolean;
}

/** A pool of connections to one server. The first connection is opened by the first query. */
export function openPool(
  url: string,
  { max = POOL_MAX, allowsLongStatements = false, sendsTogether = false }: PoolOptions = {},
): RenewablePool {
  const pool = new RenewablePool({
    connectionString: url,
    fallback_application_name: 'school-reviews',
    max,
    min: Math.min(POOL_MIN, max),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...(!allowsLongStatements && { statement_timeout: STATEMENT_TIMEOUT_MS }),
    keepAlive: true,
    pipeline: sendsTogether,
    types: typeParsers as pg.CustomTypesConfig,
  });
  // A query in flight on a broken connection fails with an error of its own, and the next query gets a new connection.
  // Without a listener the error event would end the process. The pool itself listens only on idle connections.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
  });
  if (!allowsLongStatements) endWhenSilent(pool);
  return pool;
}
