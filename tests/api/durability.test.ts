import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openKeys } from '../../src/server/security/secrets.ts';
import { createPostgresDatabase, type Product, type startProduct } from '../support/product.ts';
import { startForTest } from '../support/site.ts';

const warningsOf = ({ logs }: Product) => logs.filter(({ event }) => event === 'not-durable').map(({ msg }) => msg);

async function startOn(...given: Parameters<typeof startProduct>): Promise<Product> {
  const product = await startForTest(...given);
  return product;
}

test('SQLite reads and writes with write-ahead logging, full synchronisation and foreign keys', async () => {
  const { app, ...product } = await startOn('sqlite');
  for (const name of ['journal_mode', 'synchronous', 'foreign_keys']) {
    const expected = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1 }[name];
    const setting = sql<Record<string, unknown>>`pragma ${sql.raw(name)}`;
    expect((await setting.execute(app.database.read)).rows).toEqual([{ [name]: expected }]);
    expect((await app.database.write((db) => setting.execute(db))).rows).toEqual([{ [name]: expected }]);
  }
  expect(warningsOf({ app, ...product })).toEqual([]);
});

test('a start on PostgreSQL warns of each setting that can lose what was answered', async () => {
  const DATABASE_URL = await createPostgresDatabase();
  const first = await startOn('postgres', { DATABASE_URL });
  const { database } = first.app;
  const { rows } = await sql<{ name: string }>`
    select name from pg_settings where name in ('fsync', 'full_page_writes') and setting = 'off' order by name
  `.execute(database.read);
  expect(warningsOf(first)).toEqual(
    rows.map(({ name }) => expect.stringMatching(`^PostgreSQL runs with ${name}=off: `)),
  );
  const name = sql.id(new URL(DATABASE_URL).pathname.slice(1));
  await sql`alter database ${name} set synchronous_commit = off`.execute(database.read);
  const second = await startOn('postgres', { DATABASE_URL });
  expect(warningsOf(second)).toContainEqual(expect.stringMatching(/synchronous_commit=off: .*answered/));
});

test('a start on PostgreSQL warns of a superuser, and of no role that only owns its database', async () => {
  const DATABASE_URL = await createPostgresDatabase();
  const privilegeWarningsOf = ({ logs }: Product) =>
    logs.filter(({ event }) => event === 'too-powerful').map(({ msg }) => msg);
  const first = await startOn('postgres', { DATABASE_URL });
  expect(privilegeWarningsOf(first)).toEqual([expect.stringMatching(/^The PostgreSQL role postgres is a superuser: /)]);
  const url = new URL(DATABASE_URL);
  const name = url.pathname.slice(1);
  const { read } = first.app.database;
  await sql`create role ${sql.id(`${name}_owner`)} login`.execute(read);
  await sql`create database ${sql.id(`${name}_owned`)} owner ${sql.id(`${name}_owner`)}`.execute(read);
  url.username = `${name}_owner`;
  url.pathname = `/${name}_owned`;
  expect(privilegeWarningsOf(await startOn('postgres', { DATABASE_URL: url.href }))).toEqual([]);
});

test('a start on PostgreSQL is refused by a database whose encoding cannot hold every text', async () => {
  const DATABASE_URL = await createPostgresDatabase();
  const { read } = (await startOn('postgres', { DATABASE_URL })).app.database;
  const url = new URL(DATABASE_URL);
  url.pathname += '_latin';
  const name = sql.id(url.pathname.slice(1));
  await sql`create database ${name} encoding latin1 locale 'C' template template0`.execute(read);
  await expect(startOn('postgres', { DATABASE_URL: url.href })).rejects.toThrow(/encoded in LATIN1.* UTF8/);
});

test('the secret is made once, whole, and one that was cut is refused instead of used', () => {
  const folder = mkdtempSync(join(tmpdir(), 'school-reviews-api-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const keys = openKeys(undefined, folder);
  expect(readdirSync(folder)).toEqual(['token-secret']);
  expect(openKeys(undefined, folder)).toEqual(keys);
  const whole = readFileSync(join(folder, 'token-secret'), 'utf8');
  for (const length of [0, 16]) {
    writeFileSync(join(folder, 'token-secret'), whole.slice(0, length));
    expect(() => openKeys(undefined, folder)).toThrow(/^TOKEN_SECRET .* cut to .* Allowed: /);
  }
  expect(openKeys(whole, folder)).toEqual(keys);
});
