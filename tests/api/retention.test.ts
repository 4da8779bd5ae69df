import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sweepExpired } from '../../src/server/accounts/expiry.ts';
import { pathBeforeRestore, removeKeptDatabases } from '../../src/server/database/database-file.ts';
import { openMailTransport } from '../../src/server/mail/transport.ts';
import { call } from '../support/call.ts';
import { createReviewOf, hide, moderate, report } from '../support/moderation.ts';
import { createUser, signIn } from '../support/rows.ts';
import { adminOf, describeProduct } from '../support/site.ts';

const DAY = 24 * 60 * 60_000;

function folderForTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'school-reviews-kept-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describeProduct('data that has expired on %s', (product) => {
  const admin = adminOf(product);

  test('a decision about a review that is shown goes after a year, that about a hidden one stays', async () => {
    const [author, reporter] = [await createUser(product), await createUser(product)];
    const reviews = [await createReviewOf(product, author), await createReviewOf(product, author)];
    const [shown = 0, hidden = 0] = reviews.map(({ reviewId }) => reviewId);
    for (const id of [shown, hidden]) await report(product, reporter, id, { reason: 'other', note: 'planted-note' });
    await moderate(product, admin, shown, { action: 'keep' });
    await hide(product, admin, hidden);
    const closedAfter = async (days: number) => {
      product.clock.ahead = days * DAY;
      await sweepExpired(product.app.database, Date.now() + product.clock.ahead);
      const token = await signIn(product, admin.id);
      const { body } = await call(product, 'GET /auth/getReports?state=closed', { token });
      return body.map(({ reviewId }: { reviewId: number }) => reviewId).sort();
    };
    expect(await closedAfter(364)).toEqual([shown, hidden].sort());
    expect(await closedAfter(366)).toEqual([hidden]);
    const { read } = product.app.database;
    const notes = await read.selectFrom('reports').select(['review_id', 'note']).orderBy('review_id').execute();
    expect(notes).toEqual([
      { review_id: shown, note: null },
      { review_id: hidden, note: 'planted-note' },
    ]);
    const again = { ...reporter, token: await signIn(product, reporter.id) };
    expect((await report(product, again, shown)).status).toBe(409);
    const events = (await read.selectFrom('review_events').select('event').execute()).map(({ event }) => event);
    expect(events.sort()).toEqual(['hidden', 'kept', 'reported', 'reported']);
    product.clock.ahead = 0;
  });
});

test('mails as files go with their person, and when they are old', async () => {
  const folder = folderForTest();
  // A cast, because the transport calls nothing else of a log.
  const log = { info() {} } as never;
  const from = { name: 'Site', address: 'site@example.org' };
  const transport = openMailTransport({ smtpUrl: undefined, from, folder, logsCodes: false }, log);
  const mail = (id: number, userId: number, text: string) =>
    transport.send({ id, userId, to: `box${id}@example.org`, subject: 'any', text });
  await mail(1, 7, 'Hello,');
  await mail(2, 77, 'Said to another.');
  await mail(3, 7, 'Sent to a mailbox that was left since.');
  await mail(4, 8, 'X-User: 71 is said here.');
  await transport.deleteMailsTo(7);
  expect(readdirSync(folder)).toEqual(['00000002.eml', '00000004.eml']);
  await transport.deleteMailsBefore(Date.now() - DAY);
  expect(readdirSync(folder)).toHaveLength(2);
  await transport.deleteMailsBefore(Date.now() + DAY);
  expect(readdirSync(folder)).toEqual([]);
});

test('the database before a restore goes when it is old, as does what a killed command has left', () => {
  const path = join(folderForTest(), 'school-reviews.sqlite');
  const kept = [pathBeforeRestore(path), `${path}.compacting`, `${path}.restoring`];
  for (const file of [path, ...kept]) writeFileSync(file, '');
  removeKeptDatabases(path, Date.now() - DAY);
  expect(kept.every((file) => existsSync(file))).toBe(true);
  removeKeptDatabases(path, Date.now() + DAY);
  expect([existsSync(path), kept.some((file) => existsSync(file))]).toEqual([true, false]);
});
