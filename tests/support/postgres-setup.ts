import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/server/database/open.ts';
import { bundlePackages } from './bundled-packages.ts';
import { MIGRATED, queryEach, startPostgres } from './postgres.ts';
import { applySchoolKeys } from './school-keys.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the one PostgreSQL server of the run. */
    postgresPort: number;
    /** A database file with every table and no row. */
    migratedFile: string;
  }
}

/**
 * Starts one PostgreSQL server for the whole run, and makes the tables once on each engine: the products that tests start
 * have copies of these databases.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  process.env.PRELOAD = await bundlePackages();
  const folder = mkdtempSync(join(tmpdir(), 'school-reviews-migrated-'));
  const migratedFile = join(folder, 'migrated.sqlite');
  await (await openDatabase({ sqlite: migratedFile })).close();
  project.provide('migratedFile', migratedFile);
  const server = process.env.QUICK ? undefined : await startPostgres();
  if (server) {
    await queryEach(server.url('postgres'), `create database ${MIGRATED}`);
    await (await openDatabase({ postgres: server.url(MIGRATED) })).close();
    if (process.env.SCHOOL_KEYS) await applySchoolKeys(server.url(MIGRATED));
    // A database cannot be copied while somebody uses it, not even the autovacuum.
    await queryEach(server.url('postgres'), `alter database ${MIGRATED} allow_connections false`);
    project.provide('postgresPort', server.port);
  }
  return async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  };
}
