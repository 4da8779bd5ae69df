import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, vi } from 'vitest';
import type { Command } from '../../src/server/commands/command.ts';
import type { Database } from '../../src/server/database/database.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import { finish, spawnProduct } from './child.ts';
import { createPostgresDatabase, type Engine } from './product.ts';
import { withDatabase } from './with-database.ts';

const COMMANDS = join(import.meta.dirname, '../../src/server/commands');

export type CommandResult = Awaited<ReturnType<typeof finish>>;

/** Starts a command as a process of its own. */
export const startCommand = (name: string, args: readonly string[], env: Record<string, string>) =>
  spawnProduct(join(COMMANDS, `${name}.ts`), args, { env });

/** Runs a command as a process to its end: where the process itself is the subject, or its start must be. */
export const runCommandProcess = (...given: Parameters<typeof startCommand>) => finish(startCommand(...given));

/**
 * Runs a command to its end in this process, one at a time: the start of a process takes longer than most commands.
 * tests/api/command-help.test.ts starts each as a process.
 */
export async function runCommand(...[name, args, env]: Parameters<typeof startCommand>): Promise<CommandResult> {
  const { run }: { run: Command } = await import(join(COMMANDS, `${name}.ts`));
  const output = { stdout: '', stderr: '' };
  const others = process.listeners('exit');
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((chunk) => {
      output[stream] += chunk;
      return true;
    }),
  );
  try {
    const code = await run([...args], env);
    // What it would remove when its process ends.
    for (const end of process.listeners('exit').filter((listener) => !others.includes(listener))) {
      process.off('exit', end);
      end(code);
    }
    return { code, ...output };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** The arguments of the generate command. */
export const amounts = (schools: number, entries: number, reviews: number) =>
  Object.entries({ schools, entries, reviews }).flatMap(([name, number]) => [`--${name}`, String(number)]);

/** The environment of a command and a product that share an empty database. */
export async function createTarget(engine: Engine, dataDir: string): Promise<Record<string, string>> {
  return { DATA_DIR: dataDir, ...(engine === 'postgres' && { DATABASE_URL: await createPostgresDatabase() }) };
}

/** A folder for one test file, removed when its tests have run. */
export function createWorkplace() {
  const folder = mkdtempSync(join(tmpdir(), 'school-reviews-commands-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let dataDirs = 0;
  return {
    folder,
    newDataDir() {
      dataDirs += 1;
      return join(folder, `data-${dataDirs}`);
    },
    fileOf(name: string, content: string | Uint8Array) {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
  };
}

/** Looks into the database that a command works on. */
export function inDatabase<T>(env: Record<string, string>, act: (database: Database) => Promise<T>): Promise<T> {
  return withDatabase(readSettings(env).database, act);
}

/** Expects exit code 1 and one line with these words. */
export async function expectRefusal(running: Promise<CommandResult>, words: string | RegExp): Promise<void> {
  const { code, stderr } = await running;
  expect(stderr).toMatch(words);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(code).toBe(1);
}
