import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { DatabaseAddress } from '../src/server/database/open.ts';
import type { PostgresServer } from '../tests/support/postgres.ts';
import { TOKEN_SECRET } from './population.ts';

export const SQLITE_FILE = 'school-reviews.sqlite';

/** A database of its own, empty at first, and the settings that put a product on it. */
export interface Place {
  readonly env: Record<string, string>;
  readonly address: DatabaseAddress;
  remove(): Promise<void>;
}

/** A new folder, which belongs to one trial. */
export const makeFolder = () => mkdtempSync(path.join(os.tmpdir(), 'school-reviews-torture-'));

function placeOf(dataDir: string, address: DatabaseAddress): Place {
  const url: Record<string, string> = 'postgres' in address ? { DATABASE_URL: address.postgres } : {};
  return {
    env: { DATA_DIR: dataDir, TOKEN_SECRET, ...url },
    address,
    remove: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

export async function openSqlitePlace(): Promise<Place> {
  const dataDir = makeFolder();
  return placeOf(dataDir, { sqlite: path.join(dataDir, SQLITE_FILE) });
}

/** Sends one statement. @returns its rows */
export async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

let databases = 0;

export async function openPostgresPlace(server: PostgresServer): Promise<Place> {
  databases += 1;
  const name = `trial_${databases}`;
  await query(server.url('postgres'), `create database ${name}`);
  return placeOf(makeFolder(), { postgres: server.url(name) });
}
