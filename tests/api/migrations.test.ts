import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { MIGRATIONS } from '../../src/server/database/migrate.ts';
import { call } from '../support/call.ts';
import { waitForAddress } from '../support/child.ts';
import { createTarget, inDatabase } from '../support/command.ts';
import { startPostgres } from '../support/postgres.ts';
import { PATIENCE_MS, runSql } from '../support/postgres-faults.ts';
import { createPostgresDatabase, ENGINES, startProduct } from '../support/product.ts';
import { folderForTest, startChildForTest } from '../support/site.ts';

/** The migrations as the database lists those that ran. */
const APPLIED = MIGRATIONS.map(({ name }, index) => ({ number: index + 1, name }));

/** Ends the process as kill -9 would in the middle of its n-th statement to create something, on either engine. */
function killAt(statement: number): string {
  const source = `
    import { DatabaseSync } from 'node:sqlite';
    import pg from '${pathToFileURL(createRequire(import.meta.url).resolve('pg'))}';
    let left = ${statement};
    function count(sql) {
      if (/^create/i.test(String(sql?.text ?? sql)) && --left === 0) process.kill(process.pid, 'SIGKILL');
    }
    const { query } = pg.Client.prototype;
    pg.Client.prototype.query = function (...args) {
      const sent = query.apply(this, args);
      // The statement has been sent: the server may run it or not.
      setImmediate(count, args[0]);
      return sent;
    };
    const { prepare } = DatabaseSync.prototype;
    DatabaseSync.prototype.prepare = function (sql) {
      count(sql);
      return prepare.call(this, sql);
    };`;
  return `--import=data:text/javascript,${encodeURIComponent(source)}`;
}

/** Everything in a database that a start could change: every byte of a file, every table of a server. */
async function fingerprint({ DATABASE_URL, DATA_DIR = '' }: Record<string, string>): Promise<unknown> {
  if (!DATABASE_URL) {
    return createHash('sha256')
      .update(readFileSync(join(DATA_DIR, 'school-reviews.sqlite')))
      .digest('hex');
  }
  const columns = 'select table_name, column_name, data_type from information_schema.columns';
  return [
    await runSql(DATABASE_URL, `${columns} where table_schema = 'public' order by table_name, column_name`),
    await runSql(DATABASE_URL, 'select * from migrations order by number'),
  ];
}

describe.each(ENGINES)('migrations on %s', { timeout: PATIENCE_MS }, (engine) => {
  const target = () => createTarget(engine, folderForTest());
  const applied = (env: Record<string, string>) =>
    inDatabase(env, ({ read }) => read.selectFrom('migrations').select(['number', 'name']).execute());

  test('three processes that start at once on an empty database all come up, with each migration applied once', async () => {
    const env = await target();
    const three = [startChildForTest(env), startChildForTest(env), startChildForTest(env)];
    const urls = await Promise.all(three.map(waitForAddress));
    for (const url of urls) expect((await call({ url }, 'GET /auth/schools')).body).toEqual([]);
    expect(await applied(env)).toEqual(APPLIED);
  });

  test.each([1, 11, 21])('killed at statement %i, it is finished by the next start', async (statement) => {
    const env = await target();
    const killed = startChildForTest({ ...env, NODE_OPTIONS: killAt(statement) });
    expect(await killed.exit).toBe('SIGKILL');
    const url = await waitForAddress(startChildForTest(env));
    expect((await call({ url }, 'GET /auth/schools')).body).toEqual([]);
    expect(await applied(env)).toEqual(APPLIED);
  });

  test('a database for newer versions only is refused in one line and left as it is', async () => {
    const env = await target();
    await inDatabase(env, ({ write }) =>
      write(async (db) => {
        const number = MIGRATIONS.length + 1;
        await db.insertInto('migrations').values({ number, name: 'from-the-future', applied_at: 1 }).execute();
        await db.updateTable('served_versions').set({ oldest: '99.0.0' }).execute();
      }),
    );
    const before = await fingerprint(env);
    const refused = startChildForTest(env);
    expect(await refused.exit).toBe(1);
    expect(refused.output.stderr).toMatch(/^[^\n]* newer[^\n]*\n$/);
    expect(await fingerprint(env)).toEqual(before);
  });
});

describe('migrations on postgres', { timeout: PATIENCE_MS }, () => {
  test('a first start leaves no error in the log of the server', async () => {
    await using server = await startPostgres();
    const DATABASE_URL = server.url('postgres');
    const env = { DATABASE_URL, DATABASE_REPLICA_URLS: DATABASE_URL, DATA_DIR: folderForTest() };
    await waitForAddress(startChildForTest(env));
    expect(server.log()).not.toMatch(/ERROR.*/);
  });

  test('run their statements without a time limit', async () => {
    const databaseUrl = await createPostgresDatabase();
    // PostgreSQL before 17 has no transaction_timeout.
    const limits = `select name, setting from pg_settings
      where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;
    await runSql(
      databaseUrl,
      // Set on the server, as by the samples: a pooler passes on no limit that a connection asks for.
      `do $$ declare clock record; begin for clock in ${limits} loop
       execute format('alter database %I set %I = ''9s''', current_database(), clock.name); end loop; end $$`,
      'create table clocks (name text, setting text)',
      `create function note_clock() returns event_trigger language plpgsql as $$
       begin insert into public.clocks ${limits}; end $$`,
      'create event trigger note_clock on ddl_command_start execute function note_clock()',
    );
    const product = await startProduct('postgres', { DATABASE_URL: databaseUrl });
    const { rows } = await sql`show statement_timeout`.execute(product.app.database.read);
    await product.stop();
    expect(await runSql(databaseUrl, `select distinct name from clocks where name = 'statement_timeout'`)).toHaveLength(
      1,
    );
    expect(await runSql(databaseUrl, `select distinct name from clocks where setting <> '0'`)).toEqual([]);
    expect(rows).toEqual([{ statement_timeout: '10s' }]);
  });
});
