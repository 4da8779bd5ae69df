import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { PERSON_ACTIONS, toolsForCommand } from '../../src/server/commands/person-actions.ts';
import type { Database } from '../../src/server/database/database.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import { finish, spawnProduct } from './child.ts';
import { createPostgresDatabase, dataOf, type Engine, type Product } from './product.ts';
import { withDatabase } from './with-database.ts';

const COMMANDS = join(import.meta.dirname, '../../src/server/commands');

export type CommandResult = Awaited<ReturnType<typeof runCommand>>;

/** Starts a command as a process of its own. */
export const startCommand = (name: string, args: readonly string[], env: Record<string, string>) =>
  spawnProduct(join(COMMANDS, `${name}.ts`), args, { env });

/** Runs a command to its end. */
export const runCommand = (...given: Parameters<typeof startCommand>) => finish(startCommand(...given));

/** What `admin explain` prints, without the start of a process, which takes longer than most tests. */
export async function explainInProcess(product: Product, email: string): Promise<string | undefined> {
  const settings = readSettings(dataOf(product));
  const tools = toolsForCommand(product.app.database, settings);
  return (await PERSON_ACTIONS.explain?.run(tools, [email], { settings, days: 1, env: undefined }))?.lines.join('\n');
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
