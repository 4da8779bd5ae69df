import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { finish, spawnProduct as spawnChild } from '../tests/support/child.ts';

export const ROOT = path.dirname(import.meta.dirname);
const MAIN = 'src/server/main.ts';
const FAULTS = path.join(import.meta.dirname, 'faults');
const ASK_AGAIN_AFTER_MS = 5;

/** A module of faults/ that is loaded before the product and breaks one thing of it. */
export type Fault =
  | 'costly-reads'
  | 'admits-everything'
  | 'answers-before-commit'
  | 'commits-unsynced'
  | 'waits-inside-sqlite'
  | 'migrates-without-transaction'
  | 'merges-without-transaction'
  | 'completes-without-transaction'
  | 'drops-a-column'
  | 'dies-at-statement'
  | 'dies-with-database'
  | 'asks-connection'
  | 'checks-before-serving'
  | 'waits-for-slow-heads'
  | 'forgets-failed-mails'
  | 'waits-for-models'
  | 'forgets-to-invalidate'
  | 'leaks'
  | 'builds-bodies'
  | 'rejects-on-signal'
  | 'steps-clock'
  | 'trusts-clock';

export interface Start {
  /** The folder of the version that is started; default: this one. */
  tree?: string | undefined;
  env?: Record<string, string>;
  fault?: Fault | undefined;
  /** A command with its arguments that node is run by: strace, or a shell that lowers a limit. */
  under?: readonly string[];
  onLog?: (line: Record<string, unknown>) => void;
}

export interface Server {
  readonly url: string;
  readonly pid: number;
  readonly process: ChildProcess;
  /** Milliseconds from its start to the first 200 of /readyz. */
  readonly readyIn: number;
  /** Ends with the exit code, or the signal. */
  readonly exit: Promise<number | string>;
  /** Log lines at error or above. */
  readonly errors: readonly Record<string, unknown>[];
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
}

/** Runs a file of the product as a child process. */
export const spawnProduct = (file: string, args: readonly string[], { env, fault, under }: Start) =>
  spawnChild(file, args, { env, under, preload: fault ? [path.join(FAULTS, `${fault}.ts`)] : [] });

/** Starts the product, without limits by address: all the load comes from one address. @throws when it ends first */
export async function startServer(start: Start): Promise<Server> {
  const began = performance.now();
  const env = { PORT: '0', RATE_LIMIT: 'off', LOG_LEVEL: 'info', ...start.env };
  const child = spawnProduct(path.join(start.tree ?? ROOT, MAIN), [], { ...start, env });
  const exit = once(child, 'close').then(([code, signal]) => code ?? signal);
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const errors: Record<string, unknown>[] = [];
  const { promise: listening, resolve } = Promise.withResolvers<string>();
  createInterface(child.stdout).on('line', (text) => {
    const url = /is ready: (http:\/\/\S+)/.exec(text)?.[1];
    if (url) resolve(url);
    if (!text.startsWith('{')) return;
    const line = JSON.parse(text);
    if (line.level >= 50) errors.push(line);
    start.onLog?.(line);
  });
  const url = await Promise.race([listening, exit]);
  if (typeof url !== 'string' || !url.startsWith('http')) {
    throw new Error(`The server ended (${url}) before it listened: ${stderr.trim()}`);
  }
  while ((await fetch(`${url}/readyz`)).status !== 200) await setTimeout(ASK_AGAIN_AFTER_MS);
  return {
    url,
    pid: child.pid ?? 0,
    process: child,
    readyIn: performance.now() - began,
    exit,
    errors,
    async kill() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** Megabytes of memory of a process: all that is resident, or without mapped files. */
export const memoryOf = (pid: number, field: 'VmRSS' | 'RssAnon') =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Runs one of the product's commands to its end. */
export const runCommand = (name: string, args: readonly string[], start: Start) =>
  finish(spawnProduct(path.join(start.tree ?? ROOT, `src/server/commands/${name}.ts`), args, start));

/** Runs one of the product's commands. @throws when it fails */
export async function succeed(name: string, args: readonly string[], start: Start): Promise<void> {
  const { code, stderr } = await runCommand(name, args, start);
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${stderr.trim()}`);
}
