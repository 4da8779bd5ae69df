import { expect, test } from 'vitest';
import { insertUser } from '../../src/server/accounts/queries.ts';
import { backfill } from '../../src/server/database/migrations/033-filled-skeletons.ts';
import { createAccountSteps } from '../support/account-steps.ts';
import { describeProduct } from '../support/site.ts';

const TAKEN = { status: 409, body: { error: 'This username is already taken.', field: 'username' } };

describeProduct('usernames on %s', (product) => {
  const { newcomer, post, signUp, logIn, verify, mailsTo } = createAccountSteps(() => product);
  const signUpAs = (username: string) => post('signup', { ...newcomer(), username });

  test('a name that looks like one that is there is taken, whatever it is made of', async () => {
    for (const [name, ...alikes] of [
      ['Renée.Oliver', 'reneeoliver', 'RENEE_0LIVER', 'renée-o1iver'],
      ['Горький', 'ГОРЬКИИ'],
      ['соре', 'cope', 'c.o.p.e'],
    ] as const) {
      expect(await signUpAs(name)).toMatchObject({ status: 201, body: { username: name } });
      for (const alike of alikes) expect(await signUpAs(alike), alike).toMatchObject(TAKEN);
    }
  });

  test('it is kept as it was typed, in the composed form', async () => {
    const user = { ...newcomer(), username: ' Zoe\u0308Z ' };
    expect(await post('signup', user)).toMatchObject({ status: 201, body: { username: 'ZoëZ' } });
    const [mail] = await mailsTo(user.email);
    expect((await verify(user.email, /^\d{6}$/m.exec(mail ?? '')?.[0] ?? '')).status).toBe(200);
    const { token } = (await logIn(user.email, user.password)).body;
    const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
    expect(claims.sub).toBe('ZoëZ');
  });

  test('of names that look alike, one of many at once is taken', async () => {
    const names = ['Ki1o', 'kilo', 'KILO', 'k.i.l.o', 'кilo'.replace('к', 'k'), 'kìlo'];
    const replies = await Promise.all(names.map(signUpAs));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  test('names that are there stay, and their likes are taken once they are filled in', async () => {
    const { database } = product.app;
    const old = { passwordHash: 'none', verifiedAt: 1 };
    await database.write(async (db) => {
      await insertUser(db, { ...old, username: 'old.name', email: 'old.name@example.org' }, 1);
      await insertUser(db, { ...old, username: 'oldname', email: 'oldname@example.org' }, 1);
      await db.updateTable('users').set({ username_skeleton: null }).where('created_at', '=', 1).execute();
    });
    expect(await database.write((db) => backfill(db))).toBe(2);
    expect(await database.write((db) => backfill(db))).toBe(0);
    expect(await signUpAs('0ldname')).toMatchObject(TAKEN);
  });

  test('a name is free again when an unverified account of the same mailbox is replaced', async () => {
    const user = await signUp({ ...newcomer(), username: 'Freya' });
    expect((await post('signup', { ...user, username: 'freyä' })).status).toBe(201);
  });
});
