import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordMailOutcomes } from '../../src/server/accounts/state/mail-outcomes.ts';
import type { Database } from '../../src/server/database/database.ts';
import { createOutbox } from '../../src/server/mail/outbox.ts';
import type { Mail } from '../../src/server/mail/transport.ts';
import { ENGINES, type Product, startProduct } from '../support/product.ts';
import { createUser, readMailsTo } from '../support/rows.ts';

/** A database that runs something between the answer to each read and its caller. */
function afterEachRead(database: Database, act: () => Promise<void>): Database {
  const delayed = (target: object): object =>
    new Proxy(target, {
      get(builder, name) {
        const member = Reflect.get(builder, name);
        if (typeof member !== 'function') return member;
        if (name !== 'executeTakeFirst') return (...args: unknown[]) => delayed(member.apply(builder, args));
        return async () => {
          const row = await member.apply(builder);
          await act();
          return row;
        };
      },
    });
  return { ...database, read: delayed(database.read) as Database['read'] };
}

describe.each(ENGINES)('the outbox on %s', (engine) => {
  let product: Product;
  beforeEach(async () => {
    product = await startProduct(engine);
    // Its own outbox looks for mails as it starts, and would put off or send what these tests queue.
    await product.app.outbox.flush();
  });
  afterEach(() => product.stop());

  test('a mail queued while it finishes is sent by the flush that is asked for then', async () => {
    const { database } = product.app;
    const user = await createUser(product);
    const sent: Mail[] = [];
    const compose = async () => ({ to: user.email, subject: '', text: '' });
    const queue = () =>
      database.write((db, commit) => outbox.queue(db, commit, { purpose: 'verify', userId: user.id }));
    let isQueued = false;
    const watched = afterEachRead(database, async () => {
      if (isQueued) return;
      isQueued = true;
      await queue();
    });
    const transport = { send: async (mail: Mail) => void sent.push(mail), close() {} };
    const outbox = createOutbox({
      database: watched,
      transport,
      composers: { verify: { compose } },
      delayed: [],
      log: product.app.server.log,
      now: Date.now,
    });
    await outbox.flush();
    expect(isQueued).toBe(true);
    await expect.poll(() => sent).toHaveLength(1);
    await outbox.close();
  });

  test('a mail whose account is deleted while it is in flight keeps no other mail waiting', async () => {
    const { database } = product.app;
    const [gone, other] = [await createUser(product), await createUser(product)];
    const sent: number[] = [];
    const outbox = createOutbox({
      database,
      transport: {
        async send({ userId }: Mail) {
          sent.push(userId);
          await database.write((db) => db.deleteFrom('users').where('id', '=', gone.id).execute());
        },
        close() {},
      },
      composers: recordMailOutcomes(
        { verify: { compose: async () => ({ to: 'x', subject: '', text: '' }) } },
        Date.now,
      ),
      delayed: [],
      log: product.app.server.log,
      now: Date.now,
    });
    await database.write(async (db, commit) => {
      for (const { id } of [gone, other]) await outbox.queue(db, commit, { purpose: 'verify', userId: id });
    });
    await outbox.flush();
    await outbox.close();
    expect(sent).toEqual([gone.id, other.id]);
    const noted = await database.read.selectFrom('account_mails').select('user_id').execute();
    expect(noted).toEqual([{ user_id: other.id }]);
  });

  test('a composer is told whom a mail is for and what it is about', async () => {
    const { database, server } = product.app;
    const user = await createUser(product);
    const told: unknown[] = [];
    const compose = async (_db: unknown, queued: unknown) => {
      told.push(queued);
      return null;
    };
    const transport = { send: async () => {}, close() {} };
    const composers = { 'of-nothing': { compose }, 'of-a-review': { compose } };
    const outbox = createOutbox({
      database,
      transport,
      composers,
      delayed: [],
      log: server.log,
      now: Date.now,
    });
    await database.write((db, commit) => outbox.queue(db, commit, { purpose: 'of-nothing', userId: user.id }));
    await outbox.flush();
    await database.write((db, commit) =>
      outbox.queue(db, commit, { purpose: 'of-a-review', userId: user.id, subjectId: 12 }),
    );
    await outbox.flush();
    await outbox.close();
    expect(told).toEqual([
      { userId: user.id, subjectId: null, countedAt: null },
      { userId: user.id, subjectId: 12, countedAt: null },
    ]);
    expect(await database.read.selectFrom('outbox').selectAll().execute()).toEqual([]);
  });

  test('a mail of a newer version waits for one of its processes and holds up no other', async () => {
    const { database } = product.app;
    const user = await createUser(product);
    const time = Date.now();
    const row = { purpose: 'of-a-newer-version', user_id: user.id, created_at: time, due_at: time - 1_000 };
    await database.write((db) => db.insertInto('outbox').values(row).execute());
    await database.write((db, commit) => product.app.outbox.queue(db, commit, { purpose: 'reset', userId: user.id }));
    expect(await readMailsTo(product, user.email)).toHaveLength(1);
    const left = await database.read.selectFrom('outbox').select(['purpose', 'attempts']).execute();
    expect(left).toEqual([{ purpose: 'of-a-newer-version', attempts: 0 }]);
  });
});
