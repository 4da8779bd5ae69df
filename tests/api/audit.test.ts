import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { type AuditEntry, getAdminActs, getAdminActTotal } from '../../src/contract/audit.ts';
import { CALLS } from '../../src/contract/calls.ts';
import { createAdmin, grantAdmin, revokeAdmin } from '../../src/server/accounts/admins.ts';
import { call } from '../support/call.ts';
import { category, createEntry, createSchool, createUser, postReview, type TestUser, unique } from '../support/rows.ts';
import { describeProduct, worldOf } from '../support/site.ts';
import { prepareRequest } from '../support/valid-requests.ts';

/** The calls for admins that change something or reveal the owner of a mailbox. */
const ADMIN_ACTS = CALLS.filter(
  ({ access, method, name }) => access === 'admin' && method !== 'GET' && name !== 'checkImport',
);

/** What a call's name says it is about. */
function subjectKindOf(name: string): string {
  if (/Review$|Author$|Burst$/.test(name)) return 'review';
  if (name === 'decideProposal') return 'proposal';
  if (['mailPasscode', 'endUserSessions', 'runImport'].includes(name)) return 'user';
  return /^(post|update|delete|block|merge|find|unlock)(School|User)s?$/.exec(name)?.[2]?.toLowerCase() ?? 'entry';
}

/** The act of the audit entry that an import also writes before its first row. */
const BEGUN = 'begun';
const IMPORTED = '1 added, 0 there already, 0 refused';
const MERGED = expect.stringMatching(/^School-.+ \(no\. \d+\)$/);

/** What an audit entry says beside its subject: in one text, and in its parts. */
const RECORDED: Record<string, [text: string, details: object]> = {
  updateUser: ['an admin', { action: 'an admin' }],
  moderateReview: ['hide: spam, An advert.', { action: 'hide', reason: 'spam', note: 'An advert.' }],
  moderateBurst: ['hide: fake', { action: 'hide', reason: 'fake' }],
  blockUser: ['blocked: Many adverts.', { action: 'blocked', reason: 'Many adverts.' }],
  mergeSchools: [MERGED, { reason: MERGED }],
  runImport: [IMPORTED, { reason: IMPORTED }],
  decideProposal: ['refuse: It is there.', { action: 'refuse', reason: 'It is there.' }],
  revealAuthor: ['A court asks for it.', { reason: 'A court asks for it.' }],
};

describeProduct('the audit trail on %s', (product, engine) => {
  const world = worldOf(product);
  let admin: TestUser;

  beforeAll(async () => {
    admin = world.admin;
  });

  const read = async (query = '') =>
    (await call(product, `GET /auth/getAdminActs${query}`, { token: admin.token })).body;

  test.each(ADMIN_ACTS.map(({ name, method, path }) => [name, `${method} ${path}`]))(
    'notes %s once, with who, what and when',
    async (name, title) => {
      const { path, body } = await prepareRequest(title, world);
      const [before] = await read('?limit=1');
      product.clock.ahead += 1000;
      const began = Date.now() + product.clock.ahead;
      const answer = await call(product, `${title.split(' ')[0]} ${path}`, {
        token: admin.token,
        ...(body && { body }),
      });
      expect(answer.status).toBeLessThan(300);
      const [act, ...earlier] = await read('?limit=3');
      const next = earlier.find(({ reason }: AuditEntry) => reason !== BEGUN);
      expect(act).toEqual({
        id: expect.any(Number),
        at: expect.any(String),
        userId: admin.id,
        username: admin.username,
        act: name,
        subjectKind: subjectKindOf(name),
        subjectId: expect.any(Number),
        ...(!name.startsWith('delete') && { subjectName: expect.stringMatching(/./) }),
        ...(name in RECORDED && { reason: RECORDED[name]?.[0], details: RECORDED[name]?.[1] }),
      });
      expect(Date.parse(act.at)).toBeGreaterThanOrEqual(began);
      expect(next?.id).toBe(before?.id);
    },
  );

  test('records that an admin deletes the review of somebody else, but not their own', async () => {
    const entry = await createEntry(product, category);
    const own = await postReview(product, category, entry.id, admin);
    const other = await postReview(product, category, entry.id, world.user);
    const [before] = await read('?limit=1');
    const remove = (id: number) =>
      call(product, `DELETE /auth/${category.calls.removeReview}/${id}`, { token: admin.token });
    expect((await remove(own.body.id)).status).toBe(204);
    expect(await read('?limit=1')).toEqual([before]);
    expect((await remove(other.body.id)).status).toBe(204);
    expect((await read('?limit=1'))[0]).toMatchObject({
      act: category.calls.removeReview,
      subjectKind: 'review',
      subjectId: other.body.id,
    });
  });

  test('records nothing that was refused, or only checked', async () => {
    const [before] = await read('?limit=1');
    const { token } = admin;
    expect((await call(product, 'DELETE /auth/deleteSchool/999999999', { token })).status).toBe(404);
    expect((await call(product, 'POST /auth/postSchool', { token, body: { schoolName: '' } })).status).toBe(400);
    const school = await createSchool(product);
    expect((await call(product, `DELETE /auth/deleteSchool/${school.id}`, { token: world.user.token })).status).toBe(
      403,
    );
    const body = { csv: 'schoolName,description,location\nChecked,,Here\n' };
    expect((await call(product, 'POST /auth/checkImport', { token, body })).status).toBe(200);
    expect(await read('?limit=1')).toEqual([before]);
  });

  test('records commands', async () => {
    const { database } = product.app;
    const username = unique('cli');
    const email = `${username}@example.org`;
    await createAdmin(
      database,
      { email, username, password: 'correct horse battery staple' },
      { siteName: 'x', now: 0 },
    );
    await revokeAdmin(database, email, 0);
    await grantAdmin(database, email, 0);
    const acts = await read('?limit=3');
    expect(acts.map(({ act }: { act: string }) => act)).toEqual(['admin grant', 'admin revoke', 'admin create']);
    expect(acts[0]).toMatchObject({
      userId: null,
      username: 'command line',
      subjectKind: 'user',
      subjectName: username,
    });
  });

  test('is read page by page, newest first', async () => {
    const all = await read();
    const seen: unknown[] = [];
    let path: string | undefined = `${getAdminActs.path}?limit=3`;
    while (path) {
      const { body, headers } = await call(product, `GET ${path}`, { token: admin.token });
      seen.push(...body);
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(seen.slice(0, all.length)).toEqual(all);
    const ids = all.map(({ id }: { id: number }) => id);
    expect(ids).toEqual([...ids].sort((one, other) => other - one));
  });

  test('outlives its subject, but not the subject’s name', async () => {
    const leaving = await createUser(product, { isAdmin: true });
    const updating = { token: admin.token, body: { isAdmin: true } };
    await call(product, `PUT /auth/updateUser/${leaving.id}`, updating);
    expect((await read('?limit=1'))[0]).toMatchObject({ subjectId: leaving.id, subjectName: leaving.username });
    const body = { schoolName: unique('Left'), description: 'By somebody who left.', location: 'Here' };
    await call(product, 'POST /auth/postSchool', { token: leaving.token, body });
    expect((await call(product, `DELETE /auth/deleteUser/${leaving.id}`, { token: admin.token })).status).toBe(204);
    const entries = await read('?limit=3');
    expect(entries).toMatchObject([
      { userId: admin.id, act: 'deleteUser', subjectKind: 'user', subjectId: leaving.id },
      { userId: leaving.id, username: null, act: 'postSchool', subjectName: body.schoolName },
      { userId: admin.id, act: 'updateUser', subjectKind: 'user', subjectId: leaving.id, reason: 'an admin' },
    ]);
    expect(JSON.stringify(entries)).not.toContain(leaving.username);
    const { rows } = await sql`select * from audit_entries`.execute(product.app.database.read);
    expect(JSON.stringify(rows)).not.toContain(leaving.username);
  });

  test('names things as they are called now, an entry with its school', async () => {
    const school = await createSchool(product);
    const entry = await createEntry(product, category, school.id);
    const body = { id: entry.id, schoolId: school.id, [category.nameField]: unique('Renamed'), description: 'Now.' };
    await call(product, `PUT /auth/${category.calls.update}`, { token: admin.token, body });
    const [changed] = await read(`?subjectKind=entry&subjectId=${entry.id}`);
    expect(changed.subjectName).toBe(`${body[category.nameField]} (${school.schoolName})`);
    expect((await call(product, `DELETE /auth/deleteSchool/${school.id}`, { token: admin.token })).status).toBe(204);
    expect((await read(`?subjectKind=entry&subjectId=${entry.id}`))[0]).not.toHaveProperty('subjectName');
  });

  test('is filtered by person, act and subject, each alone and together, page by page', async () => {
    const other = await createUser(product, { isAdmin: true });
    const ids: number[] = [];
    for (const { token } of [admin, other, other]) {
      const body = { schoolName: unique('Filtered'), description: 'For the filters.', location: 'Here' };
      ids.push((await call(product, 'POST /auth/postSchool', { token, body })).body.id);
    }
    const { token } = other;
    const [, id] = ids;
    const body = { id, schoolName: unique('Filtered'), description: 'Again.', location: 'Here' };
    await call(product, 'PUT /auth/updateSchool', { token, body });
    const acts = async (query: string) =>
      (await read(query)).map(({ act, subjectId }: { act: string; subjectId: number }) => `${act} ${subjectId}`);
    expect(await acts(`?userId=${other.id}`)).toEqual([
      `updateSchool ${id}`,
      `postSchool ${ids[2]}`,
      `postSchool ${id}`,
    ]);
    expect(await acts(`?userId=${other.id}&act=postSchool`)).toEqual([`postSchool ${ids[2]}`, `postSchool ${id}`]);
    expect(await acts(`?subjectKind=school&subjectId=${id}`)).toEqual([`updateSchool ${id}`, `postSchool ${id}`]);
    expect(await acts(`?userId=${admin.id}&subjectKind=school&subjectId=${id}`)).toEqual([]);
    expect(await acts('?act=noSuchCall')).toEqual([]);
    for (const query of [`?userId=${other.id}`, `?userId=${other.id}&act=postSchool`, '?act=noSuchCall']) {
      const { body } = await call(product, `GET ${getAdminActTotal.path}${query}`, { token });
      expect(body, query).toEqual({ total: (await acts(query)).length });
    }
    const kinds = new Set((await read('?subjectKind=school')).map((entry: AuditEntry) => entry.subjectKind));
    expect([...kinds]).toEqual(['school']);

    const first = await call(product, `GET ${getAdminActs.path}?userId=${other.id}&act=postSchool&limit=1`, { token });
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1];
    const second = await call(product, `GET ${next}`, { token });
    expect([...first.body, ...second.body].map(({ subjectId }) => subjectId)).toEqual([ids[2], id]);
    expect(second.headers.get('link')).toBeNull();
  });

  test.each([
    ['userId=x', 'The userId must be a positive whole number.'],
    ['userId=0', 'The userId must be a positive whole number.'],
    ['act=', 'The act must not be empty.'],
    [`act=${'a'.repeat(65)}`, 'The act must have at most 64 characters.'],
    ['subjectKind=club', 'The subjectKind must be school, entry, review, user, proposal, or old.'],
    ['subjectId=-1', 'The subjectId must be a positive whole number.'],
    ['limit=101', 'The limit must be a whole number from 1 to 100.'],
    ['before=1.5', 'The cursor does not have the form that is needed here.'],
    ['before=1-2', 'The cursor does not have the form that is needed here.'],
  ])('refuses the filter %s', async (query, error) => {
    const { status, body } = await call(product, `GET /auth/getAdminActs?${query}`, { token: admin.token });
    expect([status, body.error]).toEqual([400, error]);
  });

  const truncates = ['truncate audit_entries', 'truncate users, audit_entries cascade'];
  const changes = ['update audit_entries set act = ’x’', 'delete from audit_entries'];
  test.each(engine === 'postgres' ? [...changes, ...truncates] : changes)(
    'the database refuses: %s',
    async (statement) => {
      const before = await read();
      const changing = product.app.database.write((db) => sql.raw(statement.replaceAll('’', "'")).execute(db));
      await expect(changing).rejects.toThrow('audit_entries is append-only');
      expect(await read()).toEqual(before);
    },
  );
});
