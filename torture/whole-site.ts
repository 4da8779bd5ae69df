import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findFreePort } from '../tests/support/free-port.ts';
import { startNginx } from '../tests/support/nginx.ts';
import { startPgbouncer } from '../tests/support/pgbouncer.ts';
import { type PostgresServer, queryEach, startPostgres } from '../tests/support/postgres.ts';
import { openProxy } from '../tests/support/postgres-proxy.ts';
import { startReplica } from '../tests/support/postgres-replica.ts';
import { makeFolder } from './places.ts';
import { type Population, populate, TOKEN_SECRET } from './population.ts';
import { ROOT, type Server, startServer } from './server.ts';

/** Debian's PostgreSQL, as docs/deployment.md installs it. */
export const INSTALLED = '/usr/lib/postgresql/15/bin';

const DATABASE = 'school_reviews';
const PASSWORD = 'of the torture alone';
const REPLICA = 'one';
/** More than the posts of a trial need: an author reviews an entry once. */
const TARGETS = 60;
const ASK_AGAIN_AFTER_MS = 20;

/** Something that crashes, and is started again by a supervisor. */
export interface Part {
  readonly name: string;
  crash(): Promise<void>;
  restart(): Promise<void>;
}

export interface WholeSite extends AsyncDisposable {
  readonly nginx: Awaited<ReturnType<typeof startNginx>>;
  readonly population: Population;
  readonly parts: readonly Part[];
  /** The address of one of the product's processes. */
  productUrl(): string;
  /** The database on whatever is the primary. */
  databaseUrl(): string;
  /** Lets the replica receive nothing from now on. */
  severReplica(): Promise<void>;
  /** Kills the primary for good. */
  losePrimary(): Promise<void>;
  /** Promotes the replica as docs/deployment.md says, and leads everything to it. */
  failOver(): Promise<void>;
  /** Log lines of the product at error or above. */
  errors(): Record<string, unknown>[];
}

/** Runs statements as the superuser. */
const administer = (server: PostgresServer, ...statements: string[]) =>
  queryEach(server.url('postgres'), ...statements);

/** Runs the sample that makes roles and database. */
async function prepare({ port }: PostgresServer): Promise<void> {
  const env = { DATABASE_PASSWORD: PASSWORD, REPLICATION_PASSWORD: PASSWORD, PGHOST: '127.0.0.1', PGPORT: `${port}` };
  const { PATH = '' } = process.env;
  await promisify(execFile)('bash', ['deploy/several/primary.sh'], { cwd: ROOT, env: { PATH, ...env } });
}

async function awaitReplica(primary: PostgresServer): Promise<void> {
  const query = `select from pg_stat_replication where application_name = '${REPLICA}' and state = 'streaming'`;
  while ((await administer(primary, query)).length === 0) await setTimeout(ASK_AGAIN_AFTER_MS);
}

/**
 * Starts what docs/deployment.md calls several machines, from Debian's packages and the samples of deploy/: nginx, two
 * processes of the product, pgbouncer in transaction mode, primary and replica.
 * @param isSynchronous whether a commit waits for the replica
 */
export async function startWholeSite(isSynchronous: boolean): Promise<WholeSite> {
  await using starting = new AsyncDisposableStack();
  const primary = starting.use(await startPostgres({ isDurable: true, installed: INSTALLED }));
  await prepare(primary);
  const direct = ({ port }: PostgresServer) => `postgres://${DATABASE}@127.0.0.1:${port}/${DATABASE}`;
  const population = await populate({ postgres: direct(primary) }, { targets: TARGETS, accounts: 1 });
  if (isSynchronous) {
    const names = `alter system set synchronous_standby_names = '${REPLICA}'`;
    await administer(primary, names, 'select pg_reload_conf()');
  }
  const replica = starting.use(await startReplica(primary, REPLICA));
  await awaitReplica(primary);
  const ports = { primary: primary.port, replica: replica.port };
  const pgbouncer = await startPgbouncer(ports, DATABASE, PASSWORD);
  starting.defer(pgbouncer.stop);
  // A proxy in place of a host name, which is moved to the new primary.
  const listening = starting.use(await openProxy(direct(primary)));
  const servers: Server[] = [];
  const errors: Record<string, unknown>[] = [];

  async function startProduct(index: number, PORT: string): Promise<void> {
    servers[index] = await startServer({
      env: {
        PORT,
        TOKEN_SECRET,
        LOG_LEVEL: 'error',
        DATA_DIR: makeFolder(),
        PUBLIC_URL: 'https://reviews.example',
        TRUST_PROXY: '127.0.0.1',
        DATABASE_URL: pgbouncer.url(DATABASE),
        DATABASE_LISTEN_URL: listening.url,
        DATABASE_REPLICA_URLS: pgbouncer.url(`${DATABASE}_replica`),
      },
      onLog: (line) => Number(line.level) >= 50 && errors.push(line),
    });
  }
  const listenAt = [await findFreePort(), await findFreePort()].map(String);
  const products = listenAt.map(
    (port, index): Part => ({
      name: `product ${index + 1}`,
      crash: async () => servers[index]?.kill(),
      restart: () => startProduct(index, port),
    }),
  );
  for (const product of products) {
    await product.restart();
    starting.defer(product.crash);
  }
  const nginx = await startNginx(listenAt.map((port) => `127.0.0.1:${port}`));
  starting.defer(nginx.stop);

  const server = (name: string, { halt, resume }: PostgresServer): Part => ({
    name,
    crash: () => halt('SIGKILL'),
    restart: resume,
  });
  let current = primary;
  const running = starting.move();
  return {
    nginx,
    population,
    parts: [
      ...products,
      { name: 'pgbouncer', crash: pgbouncer.halt, restart: pgbouncer.resume },
      server('replica', replica),
      server('primary', primary),
      { name: 'nginx', crash: nginx.halt, restart: nginx.resume },
    ],
    productUrl: () => servers[0]?.url ?? '',
    databaseUrl: () => direct(current),
    async severReplica() {
      await administer(replica, "alter system set primary_conninfo = ''", 'select pg_reload_conf()');
      while ((await administer(primary, 'select from pg_stat_replication')).length > 0)
        await setTimeout(ASK_AGAIN_AFTER_MS);
    },
    losePrimary: () => primary.halt('SIGKILL'),
    async failOver() {
      await administer(
        replica,
        "alter system set synchronous_standby_names = ''",
        'select pg_reload_conf()',
        'select pg_promote()',
      );
      current = replica;
      listening.connectTo(replica.port);
      await pgbouncer.reroute({ primary: replica.port, replica: replica.port });
    },
    errors: () => errors,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
