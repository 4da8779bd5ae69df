import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithUs } from './child.ts';
import { findFreePort } from './free-port.ts';

const PROGRAM = '/usr/sbin/nginx';
const NAME = 'reviews.example';

/** Whether Debian's nginx is installed. */
export const hasNginx = existsSync(PROGRAM);

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

/** The main file that includes those of conf.d, as in Debian. Its log has queries, unlike the sample's. */
const mainFile = (folder: string) => `
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/main-error.log crit;
events {}
http {
  access_log ${folder}/main-access.log;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  include ${folder}/conf.d/*.conf;
}
`;

/** Runs nginx in front of servers on loopback, with the sample configuration but for ports and paths. */
export async function startNginx(upstreams: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'school-reviews-nginx-'));
  const [clear, tls] = [await findFreePort('::'), await findFreePort('::')];
  mkdirSync(join(folder, 'conf.d'));
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${folder}/privkey.pem`];
  const certificate = ['-x509', '-days', '2', '-subj', `/CN=${NAME}`, '-out', `${folder}/fullchain.pem`];
  execFileSync('openssl', ['req', ...key, ...certificate], { stdio: 'ignore' });
  const adaptSample = (path: string) =>
    readFileSync(path, 'utf8')
      .replaceAll(
        /listen (\[::\]:)?(80|443)\b/g,
        (_all, host = '', port) => `listen ${host}${port === '80' ? clear : tls}`,
      )
      .replaceAll('/var/log/nginx', folder)
      .replaceAll('/etc/nginx/tls', folder)
      .replace(/ {4}server 127\.0\.0\.1:3000 (.*);/, (_all, options) =>
        upstreams.map((address) => `    server ${address} ${options};`).join('\n'),
      );
  for (const name of ['school-reviews.conf', 'upstream.conf']) {
    writeFileSync(join(folder, 'conf.d', name), adaptSample(`deploy/nginx/${name}`));
  }
  writeFileSync(join(folder, 'nginx.conf'), mainFile(folder));
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'main-error.log')];
  execFileSync(PROGRAM, [...args, '-t'], { stdio: 'pipe' });

  async function start() {
    // A process group of its own, to kill the workers too: without their master they would serve on.
    const started = spawn(PROGRAM, args, { stdio: 'ignore', detached: true });
    const crash = () => started.pid && process.kill(-started.pid, 'SIGKILL');
    endWithUs(started, crash);
    while (!(await accepts(tls))) if (started.exitCode !== null) throw new Error('nginx has ended.');
    return { started, crash };
  }
  let nginx = await start();
  return {
    name: NAME,
    clear,
    tls,
    /** Lines of the sample's own access log. */
    accessLog: () => readFileSync(join(folder, 'access.log'), 'utf8').trim().split('\n'),
    /** Kills the master and its workers. */
    async halt() {
      nginx.crash();
      await once(nginx.started, 'close');
    },
    /** Starts it again after `halt`. */
    async resume() {
      nginx = await start();
    },
    async stop() {
      nginx.started.kill('SIGTERM');
      await once(nginx.started, 'close');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
