import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { DatabaseAddress } from '../src/server/database/open.ts';
import { type PostgresServer, startPostgres } from '../tests/support/postgres.ts';
import { createPostgresDatabase } from '../tests/support/product.ts';
import { TOKEN_SECRET } from './population.ts';

/** A database for one trial, empty at first, and the settings of a product that uses it. */
export interface Place<Address extends DatabaseAddress = DatabaseAddress> extends Disposable {
  readonly dataDir: string;
  readonly env: Record<string, string>;
  readonly address: Address;
  remove(): void;
}

/** A new folder, which belongs to one trial. */
export const makeFolder = () => mkdtempSync(path.join(os.tmpdir(), 'school-reviews-torture-'));

function placeOf<Address extends DatabaseAddress>(dataDir: string, address: Address): Place<Address> {
  const url: Record<string, string> = 'postgres' in address ? { DATABASE_URL: address.postgres } : {};
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  return { dataDir, env: { DATA_DIR: dataDir, TOKEN_SECRET, ...url }, address, remove, [Symbol.dispose]: remove };
}

/** The SQLite database of a folder. */
export const sqliteIn = (dataDir: string) => placeOf(dataDir, { sqlite: path.join(dataDir, 'school-reviews.sqlite') });

export const openSqlitePlace = () => sqliteIn(makeFolder());

export const openPostgresPlace = async ({ port }: PostgresServer) =>
  placeOf(makeFolder(), { postgres: await createPostgresDatabase(port) });

export type OpenPlace = () => Place | Promise<Place>;

/** Tries something on SQLite, and then on a PostgreSQL server of its own. */
export async function onEachEngine<T>(attempt: (on: string, open: OpenPlace) => Promise<T>): Promise<T[]> {
  await using server = await startPostgres();
  return [await attempt('SQLite', openSqlitePlace), await attempt('PostgreSQL', () => openPostgresPlace(server))];
}
