import { expect } from 'vitest';
import { BURST_REVIEWS } from '../../src/contract/bursts.ts';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { SORTS } from '../../src/contract/review-filters.ts';
import { sweepExpired } from '../../src/server/accounts/expiry.ts';
import { checkCounts } from '../../src/server/count-checks/check.ts';
import { checkRemovals } from '../../src/server/removals/check.ts';
import { importSchools } from '../../src/server/schools/queries.ts';
import { call } from './call.ts';
import { createNamed } from './merging.ts';
import { hide, moderate, report } from './moderation.ts';
import { AMOUNTS, type Case, get, post } from './plan-site.ts';
import { accept, proposeEntry, proposeSchool, refuse } from './proposals.ts';
import { createSchool, createUser, PASSWORD, postReview, readPasscode, signIn, unique } from './rows.ts';

/** Everything that people wait for, and what runs by itself beside them. */
export const CASES: Case[] = [
  {
    title: 'the newest reviews of an entry, page after page',
    asks: ['entries', 'reviews'],
    isLarge: true,
    async act(site) {
      const path = `/auth/${site.category.calls.reviews}/${site.entry.id}`;
      await get(site, path);
      const { headers } = await get(site, `${path}?limit=5`);
      const next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
      expect((await get(site, next.replace(site.product.url, ''))).body).toHaveLength(5);
    },
  },
  {
    title: 'the reviews of an entry in every order, filtered, page after page',
    asks: ['reviews'],
    async act(site) {
      for (const sort of SORTS) {
        for (const filter of [
          '',
          '&stars=4',
          '&relation=parent',
          '&months=120',
          '&stars=4&relation=parent&months=60',
        ]) {
          const path = `/auth/${site.category.calls.reviews}/${site.entry.id}?sort=${sort}${filter}&limit=2`;
          const { status, headers } = await get(site, path);
          expect(status).toBe(200);
          const next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1];
          if (next) expect((await get(site, next)).status).toBe(200);
        }
      }
    },
  },
  {
    title: 'the summary of an entry, whole and of a relation, and one review of it',
    asks: ['review_counts', 'relation_counts', 'reviews', 'entries', 'schools'],
    async act(site) {
      const path = `/auth/getEntrySummary/${site.entry.id}`;
      expect((await get(site, path)).body.totalReviews).toBeGreaterThan(100);
      expect((await get(site, `${path}?relation=parent`)).status).toBe(200);
      const [{ id }] = (await get(site, `/auth/${site.category.calls.reviews}/${site.entry.id}?limit=1`)).body;
      expect((await get(site, `/auth/getReview/${id}`)).body.entryId).toBe(site.entry.id);
    },
  },
  {
    title: 'helpful marks, set, listed and removed with their user',
    asks: ['helpful_marks', 'reviews', 'entries', 'users'],
    async act(site) {
      const { product, entry, category, admin } = site;
      const { id, token } = await createUser(product);
      const reviews: { id: number }[] = (await get(site, `/auth/${category.calls.reviews}/${entry.id}?limit=3`)).body;
      for (const review of reviews) await post(site, `/auth/markHelpful/${review.id}`, undefined, token);
      const [first] = reviews as [{ id: number }];
      expect((await call(product, `DELETE /auth/markHelpful/${first.id}`, { token })).body).toEqual({ helpful: 0 });
      expect((await get(site, `/auth/getMyHelpful/${entry.id}`, token)).body).toHaveLength(2);
      expect((await call(product, `DELETE /auth/deleteUser/${id}`, { token: admin.token })).status).toBe(204);
    },
  },
  {
    title: 'the newest reviews of all entries, page after page, for an admin',
    asks: ['entries', 'reviews', 'schools', 'users'],
    async act(site) {
      const { token } = site.admin;
      const { body, headers } = await get(site, '/auth/getNewestReviews', token);
      expect(body).toHaveLength(100);
      const next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
      expect((await get(site, next, token)).body).toHaveLength(100);
    },
  },
  {
    title: 'average, total, name and details of an entry',
    asks: ['entries', 'schools'],
    isLarge: true,
    async act(site) {
      const { averageRating, totalReviews, nameLookup, details } = site.category.calls;
      for (const name of [averageRating, totalReviews, nameLookup, details]) {
        expect((await get(site, `/auth/${name}/${site.entry.id}`)).status).toBe(200);
      }
    },
  },
  {
    title: 'schools by prefix',
    asks: ['schools'],
    async act(site) {
      expect((await get(site, '/auth/schools?prefix=s')).body.length).toBeGreaterThan(0);
      expect((await get(site, '/auth/schools?prefix=s&limit=5')).status).toBe(200);
    },
  },
  {
    title: 'the search of schools, first of all of them and then of what has changed',
    asks: ['schools', 'review_counts'],
    async act(site) {
      const { token } = site.admin;
      expect((await get(site, '/auth/searchSchools?q=university')).body.total).toBeGreaterThan(0);
      const body = { schoolName: unique('Found'), description: 'x', location: 'y' };
      expect((await post(site, '/auth/postSchool', body, token)).status).toBe(201);
      const found = (await get(site, `/auth/searchSchools?q=${body.schoolName}`)).body.schools;
      expect(found).toHaveLength(1);
      expect((await call(site.product, `DELETE /auth/deleteSchool/${found[0].id}`, { token })).status).toBe(204);
    },
  },
  {
    title: 'all schools, the first of them, and one',
    asks: ['schools'],
    async act(site) {
      expect((await get(site, '/auth/schools')).body).toHaveLength(AMOUNTS.schools);
      expect((await get(site, '/auth/schools?limit=5')).body).toHaveLength(5);
      expect((await get(site, `/auth/getSchool/${site.entry.schoolId}`)).status).toBe(200);
    },
  },
  {
    title: 'the entries of a school',
    asks: ['entries'],
    isLarge: true,
    act: async (site) =>
      expect((await get(site, `/auth/${site.category.calls.list}/${site.entry.schoolId}`)).body).toHaveLength(1),
  },
  {
    title: 'the averages of all schools, of one category and of the next, and weighed',
    asks: ['review_counts', 'schools'],
    async act(site) {
      for (const { calls } of CATEGORIES.slice(0, 2)) {
        expect((await get(site, `/auth/${calls.leaderboard}`)).body.length).toBeGreaterThan(0);
      }
      const ranking = await get(site, `/auth/getRanking?category=${site.category.kind}`);
      expect(ranking.body.rows.length).toBeGreaterThan(0);
    },
  },
  {
    title: 'the summary of a school, and four compared',
    asks: ['review_counts', 'reviews', 'schools'],
    isLarge: true,
    async act(site) {
      const { body } = await get(site, `/auth/getSchoolSummary/${site.entry.schoolId}`);
      expect(body.totalReviews).toBeGreaterThan(0);
      const others = [1, 2, 3, 4].filter((id) => id !== site.entry.schoolId).slice(0, 3);
      const compared = await get(site, `/auth/compareSchools?ids=${[site.entry.schoolId, ...others]}`);
      expect(compared.body.schools).toHaveLength(4);
    },
  },
  {
    title: 'saved schools, saved, listed and removed',
    asks: ['saved_schools', 'schools', 'review_counts'],
    async act(site) {
      const { token } = await createUser(site.product);
      const school = `/auth/saveSchool/${site.entry.schoolId}`;
      expect((await call(site.product, `PUT ${school}`, { token })).status).toBe(204);
      expect((await get(site, '/auth/getSavedSchools', token)).body).toHaveLength(1);
      expect((await call(site.product, `DELETE ${school}`, { token })).status).toBe(204);
    },
  },
  {
    title: "one's own review, corrected and withdrawn",
    asks: ['sessions', 'users', 'throttles', 'entries', 'reviews'],
    async act({ product, user, entry, category }) {
      const { calls } = category;
      const { token } = user;
      const { body } = await postReview(product, category, entry.id, user);
      expect((await call(product, `GET /auth/${calls.myReview}/${entry.id}`, { token })).body.id).toBe(body.id);
      const change = { id: body.id, rating: 1, review: 'Worse now.' };
      expect((await call(product, `PUT /auth/${calls.updateReview}`, { token, body: change })).status).toBe(200);
      expect((await call(product, `DELETE /auth/${calls.removeReview}/${body.id}`, { token })).status).toBe(204);
    },
  },
  {
    title: 'a report, its decision, the appeal and what everyone sees of it',
    asks: ['reports', 'appeals', 'moderation_items', 'review_events', 'removals', 'removal_heads', 'users'],
    async act(site) {
      const { product, admin, entry, category } = site;
      const { token } = admin;
      const author = await createUser(product);
      const { body } = await postReview(product, category, entry.id, author);
      expect((await report(product, admin, body.id)).status).toBe(201);
      for (const state of ['open', 'closed']) {
        expect((await get(site, `/auth/getReports?state=${state}`, token)).status).toBe(200);
      }
      expect((await get(site, '/auth/getOpenCounts', token)).body.reports).toBe(1);
      expect((await hide(product, admin, body.id)).status).toBe(200);
      const appeal = { text: 'I was there.' };
      expect((await post(site, `/auth/appealReview/${body.id}`, appeal, author.token)).status).toBe(201);
      expect((await get(site, '/auth/getMyReviews', author.token)).body).toHaveLength(1);
      expect((await get(site, '/auth/getRemovals')).body).toHaveLength(1);
      expect((await get(site, '/auth/getRemovalTotals')).status).toBe(200);
      await product.app.outbox.flush();
      expect((await moderate(product, admin, body.id, { action: 'restore' })).status).toBe(200);
      expect((await checkRemovals(product.app.database.read)).faults).toEqual([]);
    },
  },
  {
    title: 'a burst, its banner and queue, and the ranking without it',
    asks: ['moderation_items', 'reviews', 'review_counts'],
    async act(site) {
      const { product, entry, category } = site;
      const authors = await Promise.all(Array.from({ length: BURST_REVIEWS + 1 }, () => createUser(product)));
      for (const author of authors) expect((await postReview(product, category, entry.id, author)).status).toBe(201);
      expect((await get(site, `/auth/getEntrySummary/${entry.id}`)).body.isBeingChecked).toBe(true);
      expect((await get(site, `/auth/getRanking?category=${category.kind}`)).status).toBe(200);
      expect((await get(site, '/auth/getReports', site.admin.token)).body[0].isBurst).toBe(true);
    },
  },
  {
    title: 'proposals, listed, accepted and refused',
    asks: ['proposals', 'schools', 'entries', 'reviews', 'users'],
    async act(site) {
      const { product, admin, entry } = site;
      const proposer = await createUser(product);
      const { schoolId } = entry;
      const review = { rating: 4, review: 'Fine.' };
      const first = await proposeEntry(product, proposer, { schoolId, name: unique('Proposed'), review });
      const second = await proposeSchool(product, proposer, { schoolName: unique('Proposed'), location: 'Here' });
      for (const state of ['open', 'accepted', 'refused']) {
        expect((await get(site, `/auth/getProposals?state=${state}`, admin.token)).status).toBe(200);
      }
      expect((await get(site, '/auth/getOpenCounts', admin.token)).body.proposals).toBe(2);
      expect((await accept(product, admin, first.body.id)).status).toBe(200);
      expect((await refuse(product, admin, second.body.id, 'It is there.')).status).toBe(200);
      const own = await get(site, '/auth/getMyProposals?limit=1', proposer.token);
      const next = /<([^>]+)>/.exec(own.headers.get('link') ?? '')?.[1] ?? '';
      expect((await get(site, next, proposer.token)).body).toMatchObject([{ state: 'accepted' }]);
      await product.app.outbox.flush();
    },
  },
  {
    title: 'signing up, passcode, login, logout',
    asks: ['users', 'throttles', 'outbox', 'passcodes', 'sessions'],
    async act(site) {
      const username = unique('newcomer');
      const email = `${username}@example.org`;
      await post(site, '/auth/signup', { username, email, password: PASSWORD });
      const verificationCode = await readPasscode(site.product, email);
      expect((await post(site, '/auth/verify', { email, verificationCode })).status).toBe(200);
      expect((await post(site, '/auth/login', { email, password: 'not the password' })).status).toBe(401);
      const { body } = await post(site, '/auth/login', { email, password: PASSWORD });
      expect((await post(site, '/auth/logout', undefined, body.token)).status).toBeLessThan(300);
    },
  },
  {
    title: 'a forgotten password, and every session ended',
    asks: ['users', 'throttles', 'outbox', 'passcodes', 'sessions'],
    async act(site) {
      const { id, email } = await createUser(site.product);
      await post(site, '/auth/forgotPassword', { email });
      const forgotCode = await readPasscode(site.product, email);
      const newPassword = 'a brand new secret';
      expect((await post(site, '/auth/resetPassword', { email, forgotCode, newPassword })).status).toBe(200);
      const token = await signIn(site.product, id);
      expect((await post(site, '/auth/logoutAll', undefined, token)).status).toBeLessThan(300);
    },
  },
  {
    title: 'profile and recommendation',
    asks: ['profiles', 'schools', 'entries', 'reviews'],
    async act(site) {
      const { id, token } = site.user;
      await post(site, '/auth/postProfile', { userId: id, major: 'Biology' }, token);
      expect((await get(site, `/auth/getProfile/${id}`, token)).body.major).toBe('Biology');
      expect((await post(site, '/auth/recommendSchool', {}, token)).status).toBe(200);
    },
  },
  {
    title: 'the work of an admin',
    asks: ['users', 'schools', 'entries'],
    async act(site) {
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
    },
  },
  {
    title: 'two schools merged, with what tells of it afterwards',
    asks: ['schools', 'merged_schools', 'entries', 'reviews', 'review_events', 'review_counts', 'saved_schools'],
    async act(site) {
      const { product, admin, category, user } = site;
      const { token } = admin;
      const [from, into] = [await createSchool(product), await createSchool(product)];
      for (const { id } of [from, into]) {
        const entry = await createNamed(product, category, id, 'The same');
        await postReview(product, category, entry.id, user, { relation: 'parent' });
        await call(product, `PUT /auth/saveSchool/${id}`, { token });
      }
      const body = { from: from.id, into: into.id };
      const preview = await get(site, `/auth/previewMerge?from=${from.id}&into=${into.id}`, token);
      expect(preview.body).toEqual({ moving: 0, joining: 1, reviews: 1, withdrawn: 1 });
      expect((await post(site, '/auth/mergeSchools', body, token)).status).toBe(200);
      expect((await get(site, `/auth/getSchool/${from.id}`)).status).toBe(301);
      const row = { ...from, importKey: 'x', hasSite: true };
      expect(await product.app.database.write((db) => importSchools(db, [row]))).toBe(0);
      await call(product, `DELETE /auth/deleteSchool/${into.id}`, { token });
    },
  },
  {
    title: 'the audit trail, whole and by each filter, page after page',
    asks: ['audit_entries', 'users', 'schools', 'entries', 'reviews'],
    async act(site) {
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
  },
  {
    title: 'the sitemap',
    asks: ['schools', 'entries'],
    act: async (site) => expect((await get(site, '/sitemap.xml')).status).toBe(200),
  },
  {
    title: 'the sweep of what has expired',
    asks: ['sessions', 'throttles', 'passcodes', 'users'],
    act: ({ product }) => sweepExpired(product.app.database, 0),
  },
  {
    title: 'the check of the counts',
    asks: ['entries', 'reviews', 'review_counts'],
    act: async ({ product }) => expect((await checkCounts(product.app.database.read)).faults).toEqual([]),
  },
];
