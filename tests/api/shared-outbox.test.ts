import { expect, test } from 'vitest';
import { startMailServer } from '../support/mail-server.ts';
import { runSql } from '../support/postgres-faults.ts';
import { createPostgresDatabase, startProduct } from '../support/product.ts';
import { createUser } from '../support/rows.ts';

test('two processes share the outbox: each of forty mails is sent once, some by the one and some by the other', async () => {
  const databaseUrl = await createPostgresDatabase();
  const mailServer = await startMailServer();
  const env = { DATABASE_URL: databaseUrl, SMTP_URL: mailServer.url };
  const one = await startProduct('postgres', { ...env, MAIL_FROM: 'one@example.org' });
  const two = await startProduct('postgres', { ...env, MAIL_FROM: 'two@example.org', DATA_DIR: one.dataDir });
  const users = await Promise.all(Array.from({ length: 40 }, () => createUser(one)));
  await one.app.database.write(async (db, commit) => {
    for (const { id } of users) await one.app.outbox.queue(db, commit, { purpose: 'reset', userId: id });
  });
  await Promise.all([one.app.outbox.flush(), two.app.outbox.flush()]);
  const { received } = mailServer;
  expect(received.flatMap(({ recipients }) => recipients).sort()).toEqual(users.map(({ email }) => email).sort());
  const senders = new Set(received.map(({ text }) => /^From: (\S+)/m.exec(text)?.[1]));
  expect(senders).toEqual(new Set(['one@example.org', 'two@example.org']));
  expect(await runSql(databaseUrl, 'select id from outbox')).toEqual([]);
  await two.stop();
  await one.stop();
  await mailServer.close();
});
