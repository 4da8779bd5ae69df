import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { createApp } from '../../src/server/app.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import { MIGRATED, queryEach } from './postgres.ts';
import type { RunningProduct } from './rows.ts';

export type Engine = 'sqlite' | 'postgres';

/** The two engines that every API test runs on; in `npm test -- --quick` it is the first alone. */
export const ENGINES: readonly Engine[] = process.env.QUICK ? ['sqlite'] : ['sqlite', 'postgres'];

/** A minimal built shell for tests that use calls only. */
const SHELL =
  '<!doctype html><html lang="en"><head><meta name="application-name" content=""><meta name="support-email" content=""><meta name="proposals" content=""><!--head--><title></title><!--/head--></head><body><div id="root"></div></body></html>';

export interface LogLine {
  level: number;
  msg: string;
  event?: string;
  code?: string;
  [key: string]: unknown;
}

export interface Product extends RunningProduct {
  readonly engine: Engine;
  /** Where its PostgreSQL is; undefined on SQLite. */
  readonly databaseUrl: string | undefined;
  readonly logs: LogLine[];
  stop(): Promise<void>;
}

/** A log line of this level or above means an unexpected failure. */
export const ERROR_LEVEL = 50;

/** Makes a database on a PostgreSQL server, by default that of the run, as a copy of another or empty. */
export async function createPostgresDatabase(port = inject('postgresPort'), template = 'template1'): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const server = `postgres://postgres@127.0.0.1:${port}`;
  // Copied as files it takes half of the time that it takes by way of the log.
  await queryEach(`${server}/postgres`, `create database ${name} template ${template} strategy file_copy`);
  return `${server}/${name}`;
}

/** The settings that put another process on the data of a product. */
export const dataOf = ({ dataDir, databaseUrl }: Product) => ({
  DATA_DIR: dataDir,
  ...(databaseUrl && { DATABASE_URL: databaseUrl }),
});

/** A folder for one product, with the shell its pages are made from. */
export function createFolder(): { dataDir: string; clientDir: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'school-reviews-api-'));
  const clientDir = join(folder, 'client');
  mkdirSync(clientDir);
  writeFileSync(join(clientDir, 'index.html'), SHELL);
  return {
    dataDir: join(folder, 'data'),
    clientDir,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Starts the real product on a free port and a database of its own, which has every table and no row. Unless `env` says
 * otherwise, mails to admins are off, and so are limits by address: all tests come from one address.
 * @param fillClient puts more into the built client than the shell
 */
export async function startProduct(
  engine: Engine,
  env: Record<string, string> = {},
  fillClient: (clientDir: string) => Promise<void> = async () => {},
): Promise<Product> {
  const folder = createFolder();
  await fillClient(folder.clientDir);
  const databaseUrl =
    engine === 'postgres' ? (env.DATABASE_URL ?? (await createPostgresDatabase(undefined, MIGRATED))) : undefined;
  if (engine === 'sqlite' && !env.DATA_DIR) {
    mkdirSync(folder.dataDir, { mode: 0o700 });
    copyFileSync(inject('migratedFile'), join(folder.dataDir, 'school-reviews.sqlite'));
  }
  const database = databaseUrl && { DATABASE_URL: databaseUrl };
  const settings = readSettings({
    DATA_DIR: folder.dataDir,
    RATE_LIMIT: 'off',
    ADMIN_MAIL: 'off',
    ...env,
    ...database,
  });
  const logs: LogLine[] = [];
  const clock: Product['clock'] = { ahead: 0 };
  const app = await createApp({
    settings,
    clientDir: folder.clientDir,
    now: () => clock.still ?? Date.now() + clock.ahead,
    logStream: { write: (line) => void logs.push(JSON.parse(line)) },
  });
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 });
  await app.start().catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  return {
    engine,
    databaseUrl,
    url,
    app,
    dataDir: settings.dataDir,
    logs,
    clock,
    async stop() {
      await app.close();
      folder.remove();
      const unexpected = logs.filter(({ level }) => level >= ERROR_LEVEL);
      if (unexpected.length > 0) throw new Error(`Logged at error: ${JSON.stringify(unexpected)}`);
    },
  };
}
