import { join } from 'node:path';
import type { DatabaseAddress } from '../database/open.ts';
import { type Environment, parseUrl, readText, readUrl, readWhole, SettingError } from './environment.ts';

const POSTGRES = ['postgres:', 'postgresql:'];

export function readPostgresUrl(env: Environment, variable: string): string | undefined {
  return readUrl(env, variable, POSTGRES)?.href;
}

/** Variables that have a meaning only with a PostgreSQL `DATABASE_URL`, and what each of them must name. */
const ONLY_POSTGRES = {
  DATABASE_LISTEN_URL: 'the same database past its pooler',
  DATABASE_REPLICA_URLS: 'replicas of a PostgreSQL primary',
};

/** Where the data is: PostgreSQL if its address is given, else a file in the data folder. */
export function readDatabase(env: Environment, postgres: string | undefined, dataDir: string): DatabaseAddress {
  const listen = readPostgresUrl(env, 'DATABASE_LISTEN_URL');
  const replicas = readReplicas(env);
  const poolMax = readWhole(env, 'DATABASE_POOL', 10, 1_000, 1);
  if (postgres !== undefined) return { postgres, listen, replicas, poolMax };
  for (const [variable, allowed] of Object.entries(ONLY_POSTGRES)) {
    if (readText(env, variable)) throw new SettingError(variable, 'is set without a PostgreSQL DATABASE_URL', allowed);
  }
  return { sqlite: join(dataDir, 'school-reviews.sqlite') };
}

function readReplicas(env: Environment): string[] {
  const urls = (readText(env, 'DATABASE_REPLICA_URLS') ?? '').split(',').map((url) => url.trim());
  return urls.filter((url) => url !== '').map((url) => parseUrl('DATABASE_REPLICA_URLS', url, POSTGRES).href);
}
