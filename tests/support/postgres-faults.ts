import { execFile } from 'node:child_process';
import { connect, createServer, type Socket } from 'node:net';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { type Answer, call } from './call.ts';
import { type PostgresServer, withClient } from './postgres.ts';

/** The time-out of a test of faults: generous, because many tests run at once. */
export const PATIENCE_MS = 120_000;

/** Waits until a condition is true: a server takes an unknown time to come back. */
export const eventually = <T>(ask: () => Promise<T>) => expect.poll(ask, { timeout: PATIENCE_MS / 2, interval: 20 });

/** Runs statements in a transaction, without the product. @returns the rows of the last one */
export function runSql(databaseUrl: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  return withClient(databaseUrl, async (client) => {
    const answers = await client.query(['begin', ...statements, 'commit'].join(';'));
    // A cast, because the types of pg know only the result of a single statement.
    return (answers as unknown as pg.QueryResult[]).at(-2)?.rows ?? [];
  });
}

/** Opens a connection that is closed when the test has finished. */
export async function connectForTest(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Holds what a statement locks, as a long transaction of somebody does. */
export async function holdLock(databaseUrl: string, statement: string) {
  const client = await connectForTest(databaseUrl);
  await client.query(`begin; ${statement}`);
  return { release: () => client.query('rollback'), commit: () => client.query('commit') };
}

/** Stops all processes of a server: its connections stay open and silent. @returns a function that continues them */
export async function freeze(server: PostgresServer): Promise<() => void> {
  const main = server.pid();
  const pids = [main ?? 0, ...(await childrenOf(main))];
  const tell = (signal: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of pids) process.kill(pid, signal);
  };
  tell('SIGSTOP');
  return () => tell('SIGCONT');
}

/** Cuts the connections that products have to a database, or only those of a name. @returns how many, once they are gone */
export async function cutConnections(databaseUrl: string, name = 'school-reviews%'): Promise<number> {
  const cut = await runSql(
    databaseUrl,
    `select pid, pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like '${name}'`,
  );
  const pids = cut.map(({ pid }) => pid).join() || 'null';
  await eventually(() => runSql(databaseUrl, `select pid from pg_stat_activity where pid in (${pids})`)).toEqual([]);
  return cut.length;
}

/** The application name of the connections that LISTEN. */
export const LISTENING = 'school-reviews changes';

/** Cuts the connections that LISTEN once there are this many. Cut one by one, they would never be this many. */
export async function cutListening(databaseUrl: string, amount: number): Promise<void> {
  const there = `select pid from pg_stat_activity where datname = current_database() and application_name = '${LISTENING}'`;
  await eventually(() => runSql(databaseUrl, there)).toHaveLength(amount);
  expect(await cutConnections(databaseUrl, LISTENING)).toBe(amount);
}

/**
 * Waits until a product has read every change that was committed before. For that it changes a cached entry without any
 * product: a read of the log returns everything that is committed by then. Does nothing on SQLite, which has no log.
 */
export async function awaitNotifications(
  product: { readonly url: string; readonly databaseUrl: string | undefined },
  entryId: number,
): Promise<void> {
  const { databaseUrl } = product;
  if (databaseUrl === undefined) return;
  const mark = `Marked at ${process.hrtime.bigint()}`;
  const read = () => call(product, `GET /auth/${CATEGORIES[0]?.calls.details}/${entryId}`);
  await read();
  await runSql(
    databaseUrl,
    `update entries set description = '${mark}' where id = ${entryId}`,
    `insert into change_log (tags) values ('entry:${entryId}')`,
    'notify school_reviews_changes',
  );
  await eventually(async () => (await read()).body.description).toBe(mark);
}

/** Expects the refusal of a product whose database is not there. */
export function expectUnavailable({ status, headers, body }: Answer): void {
  expect(status).toBe(503);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(body).toEqual({ error: expect.stringMatching(/^[A-Z].{9,}\.$/) });
}

/** A proxy between a product and PostgreSQL that can drop the answer to a COMMIT, or to a statement, which has succeeded. */
export async function startLossyProxy(port: number) {
  const sockets = new Set<Socket>();
  let lostAfter: string | undefined;
  let lostTo: string | undefined;
  const server = createServer((socket) => {
    const upstream = connect(port, '127.0.0.1');
    let isNext = false;
    let isLost = false;
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {});
      from.on('close', () => to.destroy());
    }
    socket.on('data', (chunk) => {
      if (lostAfter && chunk.includes(lostAfter)) {
        lostAfter = undefined;
        isNext = true;
      }
      isLost ||= isNext && chunk.includes('commit');
      if (lostTo && chunk.includes(lostTo)) {
        lostTo = undefined;
        isLost = true;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => (isLost ? socket.destroy() : socket.write(chunk)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as { port: number }).port,
    /** Loses the answer to the commit of the next transaction that sends a statement with these words. */
    loseCommitAfter(words: string) {
      lostAfter = words;
    },
    /** Loses the answer to the next statement with these words in it, or in a value. */
    loseAnswerTo(words: string) {
      lostTo = words;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** The processes that a process has started and that still run. */
async function childrenOf(parent: number | undefined): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/).map(Number));
  return rows.filter(([, ppid]) => ppid === parent).map(([pid = 0]) => pid);
}
