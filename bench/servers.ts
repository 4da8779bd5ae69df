import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../src/server/main.ts', import.meta.url));

export interface Server {
  origin: string;
  /** Milliseconds from the start of the process to its first answer. */
  readyAfter: number;
  /** Resident memory without mapped files, in megabytes. */
  memory(): number;
  stop(): Promise<void>;
}

async function start(args: string[], env: Record<string, string>, found: RegExp): Promise<Server> {
  const began = performance.now();
  // Everything that serves runs on the first core, everything that asks on the second.
  const child: ChildProcess = spawn('taskset', ['-c', '0', process.execPath, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  while (!found.test(output)) await once(child.stdout as NodeJS.ReadableStream, 'data');
  const origin = found.exec(output)?.[1] ?? '';
  await (await fetch(`${origin}/healthz`)).text();
  return {
    origin,
    readyAfter: performance.now() - began,
    memory: () => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
}

/** The product as it is served in production. */
export function startProduct(env: Record<string, string>): Promise<Server> {
  const settings = { NODE_ENV: 'production', PORT: '0', RATE_LIMIT: 'off', LOG_LEVEL: 'warn', SAMPLE_DATA: 'off' };
  return start([MAIN], { ...settings, ...env }, /is ready: (http:\/\/\S+)/);
}

const BARE = `
const bytes = require('node:fs').readFileSync(process.argv[1]);
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length };
const server = require('node:http').createServer((request, response) => { response.writeHead(200, headers); response.end(bytes); });
server.listen(0, '127.0.0.1', () => console.log('bare: http://127.0.0.1:' + server.address().port));
process.on('SIGTERM', () => process.exit(0));
`;

/** What the platform can do at most: node:http with one answer of these bytes in memory. */
export function startBare(bodyFile: string): Promise<Server> {
  return start(['-e', BARE, bodyFile], {}, /bare: (http:\/\/\S+)/);
}
