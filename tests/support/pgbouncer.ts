import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { endWithUs } from './child.ts';
import { findFreePort } from './free-port.ts';
import { findUnprivilegedUser } from './postgres.ts';

const PROGRAM = '/usr/sbin/pgbouncer';

/** Whether Debian's pgbouncer is installed. */
export const hasPgbouncer = existsSync(PROGRAM);

/** The ports on loopback that the two databases of the sample lead to. */
interface Servers {
  primary: number;
  replica: number;
}

/** Runs the sample configuration of pgbouncer with other ports and paths, for one user. */
export async function startPgbouncer(servers: Servers, user: string, password: string) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'school-reviews-pgbouncer-'));
  const identity = await findUnprivilegedUser(folder);
  const port = await findFreePort();
  const file = path.join(folder, 'pgbouncer.ini');
  const users = path.join(folder, 'users.txt');
  await writeFile(users, `"${user}" "${password}"\n`);

  const write = ({ primary, replica }: Servers) =>
    writeFile(
      file,
      readFileSync('deploy/several/pgbouncer.ini', 'utf8')
        .replace('host=primary port=5432', `host=127.0.0.1 port=${primary}`)
        .replace('host=replica port=5432', `host=127.0.0.1 port=${replica}`)
        .replace('listen_addr = *', 'listen_addr = 127.0.0.1')
        .replace('listen_port = 6432', `listen_port = ${port}`)
        .replace('unix_socket_dir = /tmp', 'unix_socket_dir =')
        .replace('/tmp/users.txt', users),
    );

  async function start(): Promise<ChildProcess> {
    const started = spawn(PROGRAM, [file], { ...identity, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    endWithUs(started, () => started.kill('SIGKILL'));
    let log = '';
    await new Promise<void>((resolve, reject) => {
      started.stderr?.on('data', (chunk) => {
        log = `${log}${chunk}`.slice(-10_000);
        if (log.includes('process up')) resolve();
      });
      started.once('close', () => reject(new Error(`pgbouncer did not start: ${log}`)));
    });
    return started;
  }

  const end = (signal: 'SIGINT' | 'SIGKILL') => pgbouncer.kill(signal) && once(pgbouncer, 'close');

  await write(servers);
  let pgbouncer = await start();
  return {
    /** The address of a database of the sample. */
    url: (database: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`,
    async halt() {
      await end('SIGKILL');
    },
    /** Starts it again after `halt`. */
    async resume() {
      pgbouncer = await start();
    },
    /** Connects the databases to other servers while it runs. */
    async reroute(to: Servers) {
      await write(to);
      pgbouncer.kill('SIGHUP');
    },
    async stop() {
      await end('SIGINT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
