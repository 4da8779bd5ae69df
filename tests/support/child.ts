import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url));
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));

/** Room for the objects of a start: otherwise collecting them takes a sixteenth of its processor time. */
const YOUNG_OBJECTS = '--min-semi-space-size=16';

export interface Child {
  readonly process: ChildProcess;
  /** What it has written so far. */
  readonly output: { stdout: string; stderr: string };
  /** Resolves to the exit code, or the signal. */
  readonly exit: Promise<number | string>;
}

interface SpawnOptions {
  env?: Record<string, string>;
  /** Modules that are loaded first. */
  preload?: readonly string[];
  /** A program that runs node, with its arguments: strace, or a shell that lowers a limit. */
  under?: readonly string[];
}

/** Runs a file of the product as a process of its own. */
export function spawnProduct(file: string, args: readonly string[], { env, preload = [], under = [] }: SpawnOptions) {
  const { PRELOAD } = process.env;
  const imported = [...(PRELOAD ? [PRELOAD] : []), ...preload].flatMap((module) => ['--import', module]);
  const [command = process.execPath, ...rest] = [...under, process.execPath, YOUNG_OBJECTS, ...imported, file, ...args];
  const child = spawn(command, rest, { env: { ...childEnv(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  endWithUs(child, () => child.kill('SIGKILL'));
  return child;
}

/** Ends a program when this process exits. */
export function endWithUs(child: ChildProcess, end: () => unknown): void {
  process.once('exit', end);
  child.once('close', () => process.off('exit', end));
}

/** Collects what a process writes, until it has ended. */
function collectOutput(child: ReturnType<typeof spawnProduct>): Child {
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (output.stdout += chunk));
  child.stderr.on('data', (chunk) => (output.stderr += chunk));
  const exit = once(child, 'close').then(([code, signal]): number | string => code ?? signal);
  return { process: child, output, exit };
}

/** Runs a process to its end. */
export async function finish(child: ReturnType<typeof spawnProduct>) {
  const { output, exit } = collectOutput(child);
  return { code: await exit, ...output };
}

/** Runs the product as an operator would. */
export const startChild = (
  env: Record<string, string>,
  args: readonly string[] = [],
  under: readonly string[] = [],
): Child => collectOutput(spawnProduct(MAIN, args, { env: { PORT: '0', ...env }, under }));

/**
 * The environment of every process of the product, without the variables of Vitest, which would change how it runs.
 * Compiled sources are kept, as by `npm run serve`: the suite starts hundreds of processes. `npm run statements` also
 * notes what they send.
 */
export function childEnv(): Record<string, string> {
  const { PATH = '', HOME = '', STATEMENTS_DIR, NODE_OPTIONS = '' } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE: COMPILED, ...(STATEMENTS_DIR && { STATEMENTS_DIR, NODE_OPTIONS }) };
}

/** Waits until a process listens. @returns its address @throws when the process ends first */
export async function waitForAddress(child: Child): Promise<string> {
  const found = () => /is ready: (http:\/\/\S+)/.exec(child.output.stdout)?.[1];
  while (!found()) {
    const ended = await Promise.race([
      child.exit.then(() => true),
      once(child.process.stdout as NodeJS.ReadableStream, 'data').then(() => false),
    ]);
    if (ended && !found()) throw new Error(`It ended before it listened: ${child.output.stderr}`);
  }
  return found() as string;
}
