import { describe, expect, onTestFinished, test } from 'vitest';
import { createLogReader, type LogReader } from '../../src/server/database/change-log.ts';
import { openDatabase } from '../../src/server/database/open.ts';
import { call } from '../support/call.ts';
import { startPostgres } from '../support/postgres.ts';
import { awaitNotifications, connectForTest, eventually, PATIENCE_MS, runSql } from '../support/postgres-faults.ts';
import { openProxy } from '../support/postgres-proxy.ts';
import { createPostgresDatabase, type Product } from '../support/product.ts';
import { category, createEntry, createSchool, createUser, postReview } from '../support/rows.ts';
import { startForTest } from '../support/site.ts';

const CHANNEL = 'school_reviews_changes';

const rename = (id: number, name: string) => `update schools set school_name = '${name}' where id = ${id}`;
const logged = (tag: string) => `insert into change_log (tags) values ('${tag}')`;

describe('changes by another writer of the database', { timeout: PATIENCE_MS }, () => {
  let databaseUrl: string;
  async function start(env: Record<string, string> = {}): Promise<Product> {
    databaseUrl = env.DATABASE_URL ?? (await createPostgresDatabase());
    return startForTest('postgres', { DATABASE_URL: databaseUrl, ...env });
  }
  const nameOf = async (product: Product, id: number) =>
    (await call(product, `GET /auth/getSchool/${id}`)).body.schoolName;

  test('are seen at once in the order of the commits, even if earlier transactions are not committed yet', async () => {
    const product = await start();
    const [early, late] = [await createSchool(product), await createSchool(product)];
    const names = async () => [await nameOf(product, early.id), await nameOf(product, late.id)];
    const before = await names();
    const open = await connectForTest(databaseUrl);
    await open.query('begin');
    await open.query(rename(early.id, 'Early'));
    await open.query(logged(`school:${early.id}`));
    await runSql(databaseUrl, rename(late.id, 'Late'), logged(`school:${late.id}`), `notify ${CHANNEL}`);
    await eventually(names).toEqual([before[0], 'Late']);
    await open.query('commit');
    await open.query(`notify ${CHANNEL}`);
    await eventually(names).toEqual(['Early', 'Late']);
  });

  test('is seen although its notification is lost', async () => {
    const product = await start();
    const { id } = await createSchool(product);
    await nameOf(product, id);
    await runSql(databaseUrl, rename(id, 'Silent'), logged(`school:${id}`));
    await eventually(() => nameOf(product, id)).toBe('Silent');
  });

  test.each(['the tags that it names', 'anything'])(
    'is seen when it is a process of 0.3.0, which announces %s',
    async (what) => {
      const product = await start();
      const { id } = await createSchool(product);
      await nameOf(product, id);
      const payload = what === 'anything' ? '*' : `schools school:${id}`;
      await runSql(databaseUrl, rename(id, 'Announced'), `notify ${CHANNEL}, '${payload}'`);
      await eventually(() => nameOf(product, id)).toBe('Announced');
    },
  );

  test('are announced to processes of 0.3.0 as unknown changes, without emptying the caches of newer ones', async () => {
    const product = await start();
    const old = await connectForTest(databaseUrl);
    const received: (string | undefined)[] = [];
    old.on('notification', ({ payload }) => received.push(payload));
    await old.query(`listen ${CHANNEL}`);
    const other = await start({ DATABASE_URL: databaseUrl });
    const [school, { id }] = [await createSchool(product), await createSchool(product)];
    await eventually(async () => nameOf(other, id)).toBeTypeOf('string');
    await runSql(databaseUrl, rename(id, 'Unannounced'));
    const cached = await nameOf(other, id);
    const list = async () => (await call(other, `GET /auth/${category.calls.list}/${school.id}`)).body.length;
    expect(await list()).toBe(0);
    await createEntry(product, category, school.id);
    await eventually(list).toBe(1);
    await eventually(async () => received).toContain('*');
    expect(await nameOf(other, id)).toBe(cached);
  });
});

describe('a reader of the log', { timeout: PATIENCE_MS }, () => {
  interface Reader extends LogReader {
    /** The changes that it has reported since the last call. */
    report(): Promise<string[]>;
  }

  async function openReader(databaseUrl: string): Promise<Reader> {
    const client = await connectForTest(databaseUrl);
    let reported: string[] = [];
    const reader = createLogReader((text, values) => client.query(text, values), {
      onTags: (tags) => void reported.push([...tags].join(' ')),
      onUnknownChange: () => void reported.push('anything'),
    });
    await reader.read();
    reported = [];
    return {
      ...reader,
      async report() {
        await reader.read();
        return reported.splice(0);
      },
    };
  }

  /** On a server of its own, because every open transaction of a server limits what may be trimmed. */
  async function openLog(): Promise<string> {
    const server = await startPostgres();
    onTestFinished(server.stop);
    const databaseUrl = await createPostgresDatabase(server.port);
    await (await openDatabase({ postgres: databaseUrl })).close();
    return databaseUrl;
  }

  test('reports each row once, none that was rolled back, and an unknown change where it may have missed one', async () => {
    const databaseUrl = await openLog();
    const reader = await openReader(databaseUrl);
    const sleeper = await openReader(databaseUrl);
    const trim = () => reader.trim((text, values) => open.query(text, values));
    const open = await connectForTest(databaseUrl);
    await open.query('begin');
    await open.query(logged('rolled:1'));
    await runSql(databaseUrl, logged('one:1'));
    expect(await reader.report()).toEqual(['one:1']);
    await open.query('rollback');
    await runSql(databaseUrl, logged('two:2'));
    expect([await reader.report(), await reader.report()]).toEqual([['two:2'], []]);

    await trim();
    await runSql(databaseUrl, logged('three:3'));
    await trim();
    const kept = await runSql(databaseUrl, 'select tags from change_log order by xid');
    expect(kept.map(({ tags }) => tags)).toEqual(['two:2', 'three:3']);
    expect(await reader.report()).toEqual(['three:3']);
    expect(await sleeper.report()).toEqual(['anything']);
    await runSql(databaseUrl, logged('four:4'));
    expect(await sleeper.report()).toEqual(['four:4']);
  });

  test('is not disturbed by the rows of another server whose dump was restored', async () => {
    const databaseUrl = await openLog();
    await runSql(databaseUrl, `insert into change_log (xid, tags) values ('9000000', 'foreign:1')`);
    const reader = await openReader(databaseUrl);
    await runSql(databaseUrl, logged('own:1'));
    expect([await reader.report(), await reader.report()]).toEqual([['own:1'], []]);
  });
});

describe('the position of a change', { timeout: PATIENCE_MS }, () => {
  const { calls } = category;
  const lengthAt = async (product: Product, entryId: number, position?: string) => {
    const headers: Record<string, string> = position === undefined ? {} : { 'X-Change-Position': position };
    const { status, body } = await call(product, `GET /auth/${calls.reviews}/${entryId}`, { headers });
    expect(status).toBe(200);
    return body.length as number;
  };

  async function startTwo() {
    const databaseUrl = await createPostgresDatabase();
    const line = await openProxy(databaseUrl);
    onTestFinished(line.close);
    const writer = await startForTest('postgres', { DATABASE_URL: databaseUrl });
    const reader = await startForTest('postgres', { DATABASE_URL: databaseUrl, DATABASE_LISTEN_URL: line.url });
    const entry = await createEntry(writer, category);
    const post = async () => {
      const { status, headers } = await postReview(writer, category, entry.id, await createUser(writer));
      expect(status).toBe(201);
      return headers.get('x-change-position') ?? '';
    };
    return { databaseUrl, line, writer, reader, entry, post };
  }

  test('lets each review be read at the other process right after it is posted', async () => {
    const { reader, entry, post } = await startTwo();
    for (let posted = 1; posted <= 30; posted += 1) {
      const position = await post();
      expect(position).toMatch(/^\d+$/);
      expect(await lengthAt(reader, entry.id, `1, ${position}`)).toBe(posted);
    }
  });

  test('leads past the cache of a process that does not learn of changes, and changes nothing in it', async () => {
    const { line, reader, entry, post } = await startTwo();
    let posted = 0;
    // Repeated until a read without the position is stale. It is not if the process has noticed the mute connection:
    // then the process caches nothing.
    await eventually(async () => {
      line.isMute = false;
      await eventually(async () => (await call(reader, 'GET /readyz')).status).toBe(200);
      expect(await lengthAt(reader, entry.id)).toBe(posted);
      line.isMute = true;
      const position = await post();
      posted += 1;
      expect(await lengthAt(reader, entry.id, position)).toBe(posted);
      return (await lengthAt(reader, entry.id)) < posted;
    }).toBe(true);
  });

  test('is ignored if it is invalid', async () => {
    const { databaseUrl, reader, entry, post } = await startTwo();
    const notYetGiven = String(Number(await post()) + 50_000);
    const read = async (position?: string) => {
      const headers: Record<string, string> = position === undefined ? {} : { 'X-Change-Position': position };
      return (await call(reader, `GET /auth/getSchool/${entry.schoolId}`, { headers })).body.schoolName;
    };
    await awaitNotifications(reader, entry.id);
    // The change below is not announced: only a read that bypasses the cache would find it.
    const cached = await read();
    await runSql(databaseUrl, rename(entry.schoolId, 'Unannounced'));
    for (const none of ['', 'x', '-1', '1.5', '1e9', '9'.repeat(20), '9'.repeat(12), '1,2,3,4,5,6,7,8,9', notYetGiven])
      expect([none, await read(none)]).toEqual([none, cached]);
  });
});
