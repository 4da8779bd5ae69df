import { expect, test } from 'vitest';
import { CALLS } from '../../src/contract/calls.ts';
import { RESTORE_DAYS } from '../../src/contract/deletions.ts';
import { ALL_PAGES } from '../../src/contract/pages.ts';
import { sweepExpired } from '../../src/server/accounts/expiry.ts';
import { call } from '../support/call.ts';
import { type DeletedKind, removeAs, restoreAs } from '../support/deletions.ts';
import { createReviewOf, findFaults, hide, report } from '../support/moderation.ts';
import { category, createEntry, createSchool, createUser, postReview, type TestUser } from '../support/rows.ts';
import { adminOf, describeProduct } from '../support/site.ts';

const DAY = 24 * 60 * 60_000;
const { calls } = category;

describeProduct('what admins delete on %s', (product) => {
  const admin = adminOf(product);

  const get = (path: string, { token }: TestUser = admin) => call(product, `GET ${path}`, { token });
  const remove = (kind: DeletedKind, id: number) => removeAs(product, admin, kind, id);
  const restore = (kind: string, id: number) => restoreAs(product, admin, kind, id);
  const deleted = async () => (await get('/auth/getDeleted')).body;
  const listed = async (entryId: number) => (await get(`/auth/${calls.reviews}/${entryId}`)).status;

  /** A school with an entry, its review and everything else that belongs to them. */
  async function createWhole() {
    const [author, reader] = [await createUser(product), await createUser(product)];
    const school = await createSchool(product);
    const [entry, other] = [
      await createEntry(product, category, school.id),
      await createEntry(product, category, school.id),
    ];
    const { body } = await postReview(product, category, entry.id, author, { rating: 4.5, relation: 'student' });
    await postReview(product, category, other.id, author, { rating: 1 });
    await call(product, `POST /auth/markHelpful/${body.id}`, { token: reader.token });
    await call(product, `PUT /auth/saveSchool/${school.id}`, { token: reader.token });
    return { author, reader, school, entry, other, reviewId: body.id as number };
  }

  /** Every public answer and page about these ids, and every one whose address has no id. */
  async function readAll(ids: readonly number[]): Promise<string[]> {
    const reads = CALLS.filter(({ method, access }) => method === 'GET' && access === 'everyone');
    const queries: Record<string, string> = {
      getRanking: `?category=${category.kind}`,
      searchSchools: '?q=school&limit=100',
    };
    const paths = [
      ...reads.map(({ path, name }) => `${path}${queries[name] ?? ''}`),
      ...ALL_PAGES.map(({ path }) => path),
      ...['/sitemap-schools-0.xml', '/sitemap-entries-0.xml'],
    ];
    const addresses = paths.flatMap((path) =>
      /:\w+/.test(path) ? ids.map((id) => path.replace(/:\w+/, String(id))) : [path],
    );
    // Responses that may be a minute old are made again.
    product.clock.ahead += 60_000;
    const answers: string[] = [];
    for (const address of addresses) {
      const { status, text } = await call(product, `GET ${address}`);
      answers.push(`${address} ${status} ${text}`);
    }
    return answers;
  }

  test.each(['school', 'entry'] as const)('a restored %s is everywhere as it was before', async (kind) => {
    const { school, entry, reader } = await createWhole();
    const id = kind === 'school' ? school.id : entry.id;
    const ids = [school.id, entry.id];
    const before = await readAll(ids);
    const saved = (await get('/auth/getSavedSchools', reader)).body;
    expect(saved).toHaveLength(1);
    expect(await remove(kind, id)).toBe(204);
    const meanwhile = await readAll(ids);
    // The control: what was deleted was in many answers, of which none names it now.
    expect(before.filter((answer, index) => answer !== meanwhile[index]).length).toBeGreaterThan(15);
    const name = kind === 'school' ? school.schoolName : entry.name;
    expect(before.filter((answer) => answer.includes(name)).length).toBeGreaterThan(5);
    expect(meanwhile.filter((answer) => answer.includes(name))).toEqual([]);
    expect(await findFaults(product)).toEqual([]);

    expect(await restore(kind, id)).toMatchObject({ status: 200, body: { kind, id, name } });
    expect(await readAll(ids)).toEqual(before);
    expect((await get('/auth/getSavedSchools', reader)).body).toEqual(saved);
    expect(await findFaults(product)).toEqual([]);
    const acts = (await get(`/auth/getAdminActs?subjectKind=${kind}&subjectId=${id}`)).body;
    expect(acts.map(({ act }: { act: string }) => act)).toEqual([
      'restoreDeleted',
      kind === 'school' ? 'deleteSchool' : calls.remove,
    ]);
  });

  test('are gone for everyone, whatever asks for them', async () => {
    const { school, entry, author, reader, reviewId } = await createWhole();
    const item = { schoolId: school.id, [category.nameField]: 'New', description: 'New' };
    await remove('school', school.id);
    const asAdmin = async (request: string, body?: object) =>
      (await call(product, request, { token: admin.token, ...(body && { body }) })).status;
    const asReader = async (request: string, body?: object) =>
      (await call(product, request, { token: reader.token, ...(body && { body }) })).status;
    expect({
      again: await remove('school', school.id),
      entry: await remove('entry', entry.id),
      update: await asAdmin('PUT /auth/updateSchool', { ...school, description: 'New' }),
      updateEntry: await asAdmin(`PUT /auth/${calls.update}`, { id: entry.id, ...item }),
      add: await asAdmin(`POST /auth/${calls.create}`, item),
      post: (await postReview(product, category, entry.id, reader)).status,
      mine: (await get(`/auth/${calls.myReview}/${entry.id}`, author)).status,
      edit: (
        await call(product, `PUT /auth/${calls.updateReview}`, {
          token: author.token,
          body: { id: reviewId, rating: 1, review: 'Worse.' },
        })
      ).status,
      byId: (await get(`/auth/getReview/${reviewId}`)).status,
      report: (await report(product, reader, reviewId)).status,
      hide: (await hide(product, admin, reviewId)).status,
      reveal: await asAdmin(`POST /auth/revealAuthor/${reviewId}`, { reason: 'A court asks for it.' }),
      deleteReview: await asAdmin(`DELETE /auth/${calls.removeReview}/${reviewId}`),
      mark: await asReader(`DELETE /auth/markHelpful/${reviewId}`),
      marks: (await get(`/auth/getMyHelpful/${entry.id}`, reader)).status,
      save: await asReader(`PUT /auth/saveSchool/${school.id}`),
      unsave: await asReader(`DELETE /auth/saveSchool/${school.id}`),
    }).toEqual(
      Object.fromEntries(
        'again entry update updateEntry add post mine edit byId report hide reveal deleteReview mark marks save unsave'
          .split(' ')
          .map((name) => [name, 404]),
      ),
    );
    expect((await get('/auth/getSavedSchools', reader)).body).toEqual([]);
    expect((await get('/auth/getNewestReviews')).body.map(({ id }: { id: number }) => id)).not.toContain(reviewId);
  });

  test('are listed, the last one first, with who deleted them and the reviews that would be seen', async () => {
    const { school, entry, other } = await createWhole();
    await createUser(product);
    await remove('entry', entry.id);
    product.clock.ahead += 1_000;
    await remove('school', school.id);
    const ours = (await deleted()).slice(0, 2);
    const by = { deletedBy: admin.username, deletedAt: expect.stringMatching(/^\d{4}-.*Z$/) };
    expect(ours).toEqual([
      { kind: 'school', id: school.id, name: school.schoolName, reviews: 1, ...by },
      { kind: 'entry', id: entry.id, name: entry.name, reviews: 1, ...by },
    ]);
    const first = await get('/auth/getDeleted?limit=1');
    expect(first.body).toEqual(ours.slice(0, 1));
    const [, next] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
    expect((await get(next as string)).body).toEqual(ours.slice(1, 2));

    // An entry that was deleted before its school stays deleted, and cannot be restored without it.
    const refused = await restore('entry', entry.id);
    expect([refused.status, refused.body.error]).toEqual([
      409,
      'The school of this entry is deleted too. Restore the school first.',
    ]);
    expect((await restore('school', school.id)).status).toBe(200);
    expect([await listed(entry.id), await listed(other.id)]).toEqual([404, 200]);
    expect((await restore('entry', entry.id)).status).toBe(200);
    expect(await listed(entry.id)).toBe(200);
    expect(await findFaults(product)).toEqual([]);
  });

  test('can be restored once, and what is not deleted cannot', async () => {
    const { school, entry } = await createWhole();
    const refusal = async (kind: string, id: number) => {
      const { status, body } = await restore(kind, id);
      return [status, body.error];
    };
    const gone = (kind: DeletedKind) => [404, `There is no such deleted ${kind}, or its 30 days are over.`];
    expect(await refusal('school', school.id)).toEqual(gone('school'));
    expect(await refusal('entry', entry.id)).toEqual(gone('entry'));
    expect(await refusal('entry', 999_999)).toEqual(gone('entry'));
    expect(await refusal('review', 1)).toEqual([400, 'The kind must be school or entry.']);
    await remove('school', school.id);
    // It was deleted with its school, and is restored with it.
    expect(await refusal('entry', entry.id)).toEqual(gone('entry'));
    expect((await restore('school', school.id)).status).toBe(200);
    expect(await refusal('school', school.id)).toEqual(gone('school'));
  });

  test('are found by the check of the data when only a part is deleted', async () => {
    const { school, entry } = await createWhole();
    const { write } = product.app.database;
    await write((db) => db.updateTable('entries').set({ deleted_at: 1 }).where('id', '=', entry.id).execute());
    await write((db) => db.updateTable('schools').set({ deleted_at: 1 }).where('id', '=', school.id).execute());
    expect(await findFaults(product)).toEqual(
      expect.arrayContaining([
        `entry ${entry.id} is only partly deleted`,
        `school ${school.id} is only partly deleted`,
      ]),
    );
    await write((db) => db.updateTable('entries').set({ deleted_at: null }).where('id', '=', entry.id).execute());
    await write((db) => db.updateTable('schools').set({ deleted_at: null }).where('id', '=', school.id).execute());
    expect(await findFaults(product)).toEqual([]);
  });

  // This is the last test, because it puts the clock on by more than a session lives.
  test('are gone for good after 30 days', async () => {
    const before = (await deleted()).length;
    const { school, entry, author } = await createWhole();
    const alone = await createReviewOf(product, author);
    await remove('entry', entry.id);
    await remove('school', school.id);
    await remove('entry', alone.entry.id);
    const sweep = () => sweepExpired(product.app.database, Date.now() + product.clock.ahead);
    product.clock.ahead += RESTORE_DAYS * DAY - 60_000;
    const signedIn = await createUser(product, { isAdmin: true });
    const restoreThen = async (kind: DeletedKind, id: number) => (await restoreAs(product, signedIn, kind, id)).status;
    await sweep();
    expect((await get('/auth/getDeleted', signedIn)).body).toHaveLength(before + 3);
    product.clock.ahead += 61_000;
    expect((await get('/auth/getDeleted', signedIn)).body).toEqual([]);
    expect([await restoreThen('school', school.id), await restoreThen('entry', alone.entry.id)]).toEqual([404, 404]);
    await sweep();
    const { read } = product.app.database;
    expect(await read.selectFrom('deletions').select('id').execute()).toEqual([]);
    const left = async (table: 'schools' | 'entries', id: number) =>
      (await read.selectFrom(table).select('id').where('id', '=', id).execute()).length;
    expect([await left('schools', school.id), await left('entries', entry.id)]).toEqual([0, 0]);
    expect(await left('entries', alone.entry.id)).toBe(0);
    expect(await findFaults(product)).toEqual([]);
  });
});
