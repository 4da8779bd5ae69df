import { afterEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/server/database/database.ts';
import { createOutbox } from '../../src/server/mail/outbox.ts';
import type { Mail } from '../../src/server/mail/transport.ts';
import { ENGINES, type Product, startProduct } from '../support/product.ts';
import { createUser } from '../support/rows.ts';

/** The database with something done between its answer to each read and whoever asked. */
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
  afterEach(() => product.stop());

  test('a mail queued while it finishes is sent by the flush that is asked for then', async () => {
    product = await startProduct(engine);
    const { database } = product.app;
    const user = await createUser(product);
    const sent: Mail[] = [];
    const compose = async (_db: unknown, { id }: { id: number }) => ({
      id,
      to: user.email,
      subject: '',
      text: '',
      code: undefined,
    });
    const queue = () =>
      database.write((db, commit) => outbox.queue(db, commit, { purpose: 'verify', userId: user.id }));
    let isQueued = false;
    const watched = afterEachRead(database, async () => {
      if (isQueued) return;
      isQueued = true;
      await queue();
    });
    const transport = { send: async (mail: Mail) => void sent.push(mail), close() {} };
    const outbox = createOutbox(
      watched,
      transport,
      { compose, handedOver: async () => {}, notHandedOver: async () => {} },
      { log: product.app.server.log, now: Date.now },
    );
    await outbox.flush();
    await outbox.close();
    expect(isQueued).toBe(true);
    expect(sent).toHaveLength(1);
  });
});
