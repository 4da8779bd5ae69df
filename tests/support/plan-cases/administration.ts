import { expect } from 'vitest';
import { sweepExpired } from '../../../src/server/accounts/expiry.ts';
import { checkCounts } from '../../../src/server/commands/count-checks/check.ts';
import { importSchools } from '../../../src/server/data/imports/school-queries.ts';
import { updateNumbers } from '../../../src/server/numbers/routes.ts';
import { call } from '../call.ts';
import { createNamedEntry } from '../merging.ts';
import { type Case, caseOf, get, post } from '../plan-site.ts';
import { createSchool, createUser, postReview, unique } from '../rows.ts';

/** The work of admins, and the work in the background. */
export const ADMINISTRATION: Case[] = [
  caseOf('the work of an admin', ['users', 'schools', 'entries'], async (site) => {
    const { product, admin, category } = site;
    const { token } = admin;
    expect((await get(site, '/auth/getUsers', token)).status).toBe(200);
    const { id } = await createUser(product);
    for (const isAdmin of [true, false]) {
      expect((await call(product, `PUT /auth/updateUser/${id}`, { token, body: { isAdmin } })).status).toBe(200);
    }
    expect((await call(product, `DELETE /auth/deleteUser/${id}`, { token })).status).toBe(204);
    const fields = { schoolName: unique('School'), description: 'New.', location: 'Here' };
    const school = (await post(site, '/auth/postSchool', fields, token)).body.id;
    const entry = { schoolId: school, description: 'New.', [category.nameField]: 'New' };
    expect((await post(site, `/auth/${category.calls.create}`, entry, token)).status).toBe(201);
    const change = { body: { id: school, ...fields, location: 'There' }, token };
    expect((await call(product, 'PUT /auth/updateSchool', change)).status).toBe(200);
    await call(product, `PUT /auth/saveSchool/${school}`, { token });
    expect((await call(product, `DELETE /auth/deleteSchool/${school}`, { token })).status).toBe(204);
  }),
  caseOf(
    'two schools merged, with what tells of it afterwards',
    ['schools', 'merged_schools', 'entries', 'reviews', 'review_events', 'review_counts', 'saved_schools'],
    async (site) => {
      const { product, admin, category, user } = site;
      const { token } = admin;
      const [from, into] = [await createSchool(product), await createSchool(product)];
      for (const { id } of [from, into]) {
        const entry = await createNamedEntry(product, category, id, 'The same');
        await postReview(product, category, entry.id, user, { relation: 'parent' });
        await call(product, `PUT /auth/saveSchool/${id}`, { token });
      }
      const body = { from: from.id, into: into.id };
      const preview = await get(site, `/auth/previewMerge?from=${from.id}&into=${into.id}`, token);
      expect(preview.body).toEqual({ moving: 0, joining: 1, reviews: 1 });
      expect((await post(site, '/auth/mergeSchools', body, token)).status).toBe(200);
      expect((await get(site, `/auth/getSchool/${from.id}`)).status).toBe(301);
      const row = { ...from, importKey: 'x', hasSite: true };
      expect(await product.app.database.write((db) => importSchools(db, [row]))).toEqual([false]);
      await call(product, `DELETE /auth/deleteSchool/${into.id}`, { token });
    },
  ),
  caseOf(
    'the audit trail, whole and by each filter, page after page',
    ['audit_entries', 'users', 'schools', 'entries', 'reviews'],
    async (site) => {
      const { token, id } = site.admin;
      const body = { schoolName: unique('School'), description: 'New.', location: 'Here' };
      for (let times = 0; times < 2; times += 1) await post(site, '/auth/postSchool', body, token);
      const trail = '/auth/getAdminActs?limit=1';
      for (const filter of ['', `&userId=${id}`, '&act=postSchool', '&subjectKind=school']) {
        const { body: entries } = await get(site, `${trail}${filter}`, token);
        const older = await get(site, `${trail}${filter}&before=${entries[0].id}`, token);
        expect(older.body).toMatchObject([{ act: 'postSchool' }]);
        const total = await get(site, `/auth/getAdminActTotal?${filter.slice(1)}`, token);
        expect(total.body.total).toBeGreaterThan(1);
        const { subjectId } = entries[0];
        expect((await get(site, `${trail}&subjectKind=school&subjectId=${subjectId}`, token)).body).toEqual(entries);
        expect((await get(site, `${trail}&subjectId=${subjectId}`, token)).body).toEqual(entries);
      }
    },
  ),
  caseOf(
    'one person, the numbers and a file',
    ['users', 'refused_logins', 'account_mails', 'site_acts', 'site_days', 'throttles', 'schools'],
    async (site) => {
      const { product, admin } = site;
      const { token } = admin;
      const user = await createUser(product);
      expect((await get(site, `/auth/getUserState/${user.id}`, token)).status).toBe(200);
      expect((await post(site, '/auth/findUser', { email: user.email }, token)).status).toBe(200);
      for (const what of ['unlockUser', 'endUserSessions']) {
        expect((await post(site, `/auth/${what}/${user.id}`, {}, token)).status).toBe(204);
      }
      expect((await get(site, '/auth/getSiteNumbers?days=2', token)).status).toBe(200);
      const csv = `schoolName,description,location\n${unique('Imported')},,Here\n`;
      const { body } = await post(site, '/auth/checkImport', { csv }, token);
      expect((await post(site, '/auth/runImport', { csv, digest: body.digest }, token)).status).toBe(200);
      await updateNumbers(product.app.database, {
        now: () => Date.now() + 2 * 86_400_000,
        search: { readFigures: async () => ({ figures: [] }) },
      });
    },
  ),
  caseOf('the sitemap', ['schools', 'entries'], async (site) =>
    expect((await get(site, '/sitemap.xml')).status).toBe(200),
  ),
  caseOf('the sweep of what has expired', ['sessions', 'throttles', 'passcodes', 'users'], ({ product }) =>
    sweepExpired(product.app.database, 0),
  ),
  caseOf('the check of the counts', ['entries', 'reviews', 'review_counts'], async ({ product }) =>
    expect((await checkCounts(product.app.database.read)).faults).toEqual([]),
  ),
];
