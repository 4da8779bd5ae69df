import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { MALLOC_ENV, NODE_OPTIONS } from '../bin/server.mjs';
import { endWithUs } from '../tests/support/child.ts';
import type { Store } from './data.ts';
import { pinned } from './machine.ts';
import type { Options } from './options.ts';

const ROOT = path.dirname(import.meta.dirname);
const MAIN = path.join(ROOT, 'src/server/main.ts');
const PROFILES = path.join(import.meta.dirname, '.data/profiles');
const BARE = path.join(import.meta.dirname, 'bare.ts');

export interface RunningServer {
  /** The origin of its first process, if it has several. */
  readonly origin: string;
  /** The origins of all its processes. */
  readonly origins: readonly string[];
  /** Milliseconds from the start of the process to its first answer. */
  readonly startedIn: number;
  /** Resident memory without mapped files, of all its processes, in megabytes. */
  memory(): number;
  /** Processor time spent so far, in seconds. */
  processorTime(): number;
  stop(): Promise<void>;
}

interface Start {
  args: readonly string[];
  env?: Record<string, string>;
  /** The path of the first request to it. */
  firstPath: string;
  isPinned: boolean;
}

function readProc(pid: number, file: string): string {
  return readFileSync(`/proc/${pid}/${file}`, 'utf8');
}

function residentMegabytes(pid: number): number {
  return Number(/RssAnon:\s+(\d+)/.exec(readProc(pid, 'status'))?.[1] ?? 0) / 1024;
}

/** proc(5): the 14th and 15th field of stat, in hundredths of a second; the name before them can hold spaces. */
function processorSeconds(pid: number): number {
  const fields = readProc(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Waits for the line that says where it listens. @throws when it ends first */
async function readOrigin(child: ChildProcess): Promise<string> {
  let output = '';
  for await (const chunk of child.stdout ?? []) {
    output += chunk;
    const origin = /(http:\/\/\S+)\n/.exec(output)?.[1];
    if (origin) return origin;
  }
  throw new Error(`A server ended before it listened: ${output}`);
}

async function start({ args, env = {}, firstPath, isPinned }: Start): Promise<RunningServer> {
  const began = performance.now();
  const [command, commandArgs] = isPinned ? pinned('server', process.execPath, args) : [process.execPath, [...args]];
  const child = spawn(command, commandArgs, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  endWithUs(child, () => child.kill('SIGKILL'));
  const origin = await readOrigin(child);
  const { status } = await fetch(origin + firstPath);
  if (status !== 200) throw new Error(`The first answer to ${firstPath} has the status ${status}.`);
  const { pid = 0 } = child;
  return {
    origin,
    origins: [origin],
    startedIn: performance.now() - began,
    memory: () => residentMegabytes(pid),
    processorTime: () => processorSeconds(pid),
    async stop() {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
    },
  };
}

const CHECK_EVERY_MS = 1_000;
/** A server rests when it takes fewer seconds of processor time than this between two checks. */
const RESTS_BELOW = 0.03;

/** Waits while a server still makes the index of recommendations, for some seconds after its first answer. */
export async function waitForRest({ processorTime }: RunningServer): Promise<void> {
  let before: number;
  do {
    before = processorTime();
    await setTimeout(CHECK_EVERY_MS);
  } while (processorTime() - before > RESTS_BELOW);
}

/**
 * Starts the product as `npm run serve` does, without limits by address: all the load comes from one address.
 * @param isPinned whether it keeps to the one core of servers
 */
export function startProduct(
  store: Store,
  { profile }: Pick<Options, 'profile'>,
  env: Record<string, string> = {},
  isPinned = true,
): Promise<RunningServer> {
  return start({
    args: [...NODE_OPTIONS, ...(profile ? ['--cpu-prof', `--cpu-prof-dir=${PROFILES}`] : []), MAIN],
    env: {
      ...MALLOC_ENV,
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules/.cache/compiled'),
      PORT: '0',
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'warn',
      SAMPLE_DATA: 'off',
      ...store.env,
      ...env,
    },
    firstPath: '/auth/schools?limit=1',
    isPinned,
  });
}

/** Several processes on one database, none of them pinned. */
export async function startProducts(
  count: number,
  store: Store,
  options: Pick<Options, 'profile'>,
  env: Record<string, string>,
): Promise<RunningServer> {
  const first = await startProduct(store, options, env, false);
  const all = [first];
  while (all.length < count) all.push(await startProduct(store, options, env, false));
  const sumOf = (measure: (one: RunningServer) => number) => all.reduce((sum, one) => sum + measure(one), 0);
  return {
    ...first,
    origins: all.map(({ origin }) => origin),
    memory: () => sumOf((one) => one.memory()),
    processorTime: () => sumOf((one) => one.processorTime()),
    stop: async () => void (await Promise.all(all.map((one) => one.stop()))),
  };
}

/** The limit of the platform: bare node:http with the answers of a file in memory. */
export function startBare(answersFile: string): Promise<RunningServer> {
  return start({ args: [BARE, answersFile], firstPath: '/bare', isPinned: true });
}
