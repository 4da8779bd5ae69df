import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url));
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));

export interface Child {
  readonly process: ChildProcess;
  /** What it has written so far. */
  readonly output: { stdout: string; stderr: string };
  /** Ends with the exit code, or the signal. */
  readonly exit: Promise<number | string | null>;
}

/** Runs the product as a process of its own, as an operator would. */
export function startChild(env: Record<string, string>, args: string[] = []): Child {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...childEnv(), PORT: '0', ...env }, stdio: 'pipe' });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (output.stdout += chunk));
  child.stderr.on('data', (chunk) => (output.stderr += chunk));
  const exit = once(child, 'close').then(([code, signal]) => code ?? signal);
  return { process: child, output, exit };
}

/**
 * What every process of the product gets. Variables that Vitest sets would change how it runs. Compiled sources are
 * kept, as by `npm run serve`: the suite starts hundreds of processes. `npm run statements` listens to them too.
 */
export function childEnv(): Record<string, string> {
  const { PATH = '', HOME = '', STATEMENTS_DIR, NODE_OPTIONS = '' } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE: COMPILED, ...(STATEMENTS_DIR && { STATEMENTS_DIR, NODE_OPTIONS }) };
}

/** Waits until it says where it listens. @throws when it ends first */
export async function listening(child: Child): Promise<string> {
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
