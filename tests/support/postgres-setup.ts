import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the one PostgreSQL server of the run. */
    postgresPort: number;
  }
}

/** Starts one PostgreSQL server for the whole run; each product that a test starts makes a database of its own. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (process.env.QUICK) return undefined;
  const server = await startPostgres();
  project.provide('postgresPort', server.port);
  return server.stop;
}
