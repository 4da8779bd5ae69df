import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createPostgresDatabase, type Product, startProduct } from '../support/product.ts';

const warningsOf = ({ logs }: Product) => logs.filter(({ event }) => event === 'not-durable').map(({ msg }) => msg);

async function startOn(...given: Parameters<typeof startProduct>): Promise<Product> {
  const product = await startProduct(...given);
  onTestFinished(() => product.stop());
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
