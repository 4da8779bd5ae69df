import { afterEach, describe, expect, test } from 'vitest';
import { sweepExpired } from '../../src/server/accounts/expiry.ts';
import { wrongPasswordSubject } from '../../src/server/accounts/password-tries.ts';
import { type Keys, openKeys } from '../../src/server/security/secrets.ts';
import { call } from '../support/call.ts';
import { ENGINES, type Product, startProduct } from '../support/product.ts';
import { createUser, unique } from '../support/rows.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Of a few thousand made-up mailboxes two share one of the million counters. */
function findMailboxesOfOneCounter(keys: Keys): [string, string] {
  const seen = new Map<string, string>();
  for (;;) {
    const mailbox = `${unique('nobody')}@example.org`;
    const subject = wrongPasswordSubject({ keys }, mailbox, false);
    const before = seen.get(subject);
    if (before) return [before, mailbox];
    seen.set(subject, mailbox);
  }
}

describe.each(ENGINES)('what has expired, on %s', (engine) => {
  let product: Product;
  afterEach(() => product.stop());

  const post = (path: string, body: object) => call(product, `POST /auth/${path}`, { body });
  const sweep = () => sweepExpired(product.app.database, Date.now() + product.clock.ahead);
  const countRows = async (table: 'sessions' | 'passcodes' | 'throttles') =>
    (await product.app.database.read.selectFrom(table).selectAll().execute()).length;

  test('sessions, codes and accounts never verified go once they are of no use, and nothing before', async () => {
    product = await startProduct(engine);
    await createUser(product);
    const username = unique('late');
    const someone = { username, email: `${username}@example.org`, password: 'correct horse battery staple' };
    expect((await post('signup', someone)).status).toBe(201);
    await product.app.outbox.flush();
    await sweep();
    expect([await countRows('sessions'), await countRows('passcodes')]).toEqual([1, 1]);
    product.clock.ahead += 12 * MINUTE;
    await sweep();
    expect([await countRows('sessions'), await countRows('passcodes')]).toEqual([1, 0]);
    expect((await post('signup', { ...someone, email: `other-${someone.email}` })).status).toBe(409);
    product.clock.ahead += 8 * DAY;
    await sweep();
    expect(await countRows('sessions')).toBe(0);
    expect((await post('signup', { ...someone, email: `other-${someone.email}` })).status).toBe(201);
  });

  test('however many throttles have ended, all go', async () => {
    product = await startProduct(engine);
    await product.app.database.write(async (db) => {
      const rows = Array.from({ length: 5_000 }, (_, index) => ({ key: `made-up:${index}`, count: 1, ends_at: index }));
      for (let first = 0; first < rows.length; first += 1_000) {
        await db
          .insertInto('throttles')
          .values(rows.slice(first, first + 1_000))
          .execute();
      }
    });
    await sweep();
    expect(await countRows('throttles')).toBe(0);
  });

  test('guesses at mailboxes without an account share counters, and are forgotten no sooner than others', async () => {
    product = await startProduct(engine);
    const user = await createUser(product);
    const [one, other] = findMailboxesOfOneCounter(openKeys(undefined, product.dataDir));
    for (const email of [user.email, one, other]) {
      expect((await post('login', { email, password: 'certainly wrong' })).status).toBe(401);
    }
    product.clock.ahead += DAY + MINUTE;
    await sweep();
    const counts = await product.app.database.read.selectFrom('throttles').select('count').orderBy('count').execute();
    expect(counts.map(({ count }) => count)).toEqual([1, 2]);
  });
});
