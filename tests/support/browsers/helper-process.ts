import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program that a browser test has started, in a process group and with a home directory of its own. */
export interface HelperProcess {
  /** Resolves with the first group of the pattern as soon as the program has printed it. */
  waitForOutput(pattern: RegExp): Promise<string>;
  /** Ends the program with everything it has started, and deletes its home directory. */
  end(): Promise<void>;
}

/** Starts a program. File descriptor 3 is a pipe that is read like its output: Xvfb names its display there. */
export function startHelper(
  command: string,
  args: (home: string) => string[],
  env: Record<string, string> = {},
): HelperProcess {
  const home = mkdtempSync(join(tmpdir(), 'school-reviews-browser-home-'));
  const { PATH = '' } = process.env;
  const child = spawn(command, args(home), {
    env: { PATH, HOME: home, XDG_RUNTIME_DIR: home, LANG: 'en_US.UTF-8', TZ: 'UTC', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const exit = once(child, 'close').catch((error: unknown) => error);
  let output = '';
  const waiting = new Set<() => void>();
  for (const stream of child.stdio.slice(1)) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk;
      for (const check of waiting) check();
    });
  }

  async function waitForOutput(pattern: RegExp): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    const check = () => {
      const found = pattern.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    waiting.add(check);
    check();
    const failed = exit.then((reason) => {
      throw new Error(`${command} ended (${String(reason)}) without printing ${pattern}: ${output}`);
    });
    // After the line has been printed, the program may end without failing the test.
    failed.catch(() => undefined);
    return Promise.race([promise, failed]).finally(() => waiting.delete(check));
  }

  async function end(): Promise<void> {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      // ESRCH: it has ended by itself.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
    await exit;
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }

  return { waitForOutput, end };
}
