import { join } from 'node:path';
import type { DatabaseAddress } from '../database/open.ts';
import { type Environment, readText, readUrl, readWhole, SettingError } from './environment.ts';

const POSTGRES = ['postgres:', 'postgresql:'];

/** @throws {SettingError} when it is not the address of a PostgreSQL database */
export function readPostgresUrl(env: Environment, variable: string): string | undefined {
  return readUrl(env, variable, POSTGRES)?.href;
}

/**
 * Reads the address of a PostgreSQL database from the arguments of a command.
 * @throws {SettingError} when it is none
 */
export function readTarget(target: string): string {
  return readPostgresUrl({ 'The target': target }, 'The target') ?? '';
}

/** Where the data is: PostgreSQL if its address is readText, else a file in the data folder. */
export function readDatabase(env: Environment, postgres: string | undefined, dataDir: string): DatabaseAddress {
  const isPostgres = postgres !== undefined;
  const listen = readListenUrl(env, isPostgres);
  const replicas = readReplicas(env, isPostgres);
  const poolMax = readWhole(env, 'DATABASE_POOL', 10, 1_000, 1);
  return isPostgres ? { postgres, listen, replicas, poolMax } : { sqlite: join(dataDir, 'school-reviews.sqlite') };
}

function readListenUrl(env: Environment, isPostgres: boolean): string | undefined {
  const url = readPostgresUrl(env, 'DATABASE_LISTEN_URL');
  if (url && !isPostgres) {
    throw new SettingError(
      'DATABASE_LISTEN_URL',
      'is set without a PostgreSQL DATABASE_URL',
      'the same database past its pooler',
    );
  }
  return url;
}

function readReplicas(env: Environment, isPostgres: boolean): string[] {
  const urls = (readText(env, 'DATABASE_REPLICA_URLS') ?? '').split(',').filter((url) => url.trim() !== '');
  if (urls.length > 0 && !isPostgres) {
    throw new SettingError(
      'DATABASE_REPLICA_URLS',
      'is set without a PostgreSQL DATABASE_URL',
      'replicas of a PostgreSQL primary',
    );
  }
  return urls.map((url) => {
    readPostgresUrl({ DATABASE_REPLICA_URLS: url }, 'DATABASE_REPLICA_URLS');
    return url.trim();
  });
}
