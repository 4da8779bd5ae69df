import { expect } from 'vitest';
import { CATEGORIES } from '../../../src/contract/categories.ts';
import { SORTS } from '../../../src/contract/review-filters.ts';
import { call } from '../call.ts';
import { AMOUNTS, type Case, caseOf, get, largeCase, nextPageOf, post } from '../plan-site.ts';
import { createUser, unique } from '../rows.ts';

/** What everybody reads, and what people keep of it. */
export const READING: Case[] = [
  largeCase('the newest reviews of an entry, page after page', ['entries', 'reviews'], async (site) => {
    const path = `/auth/${site.category.calls.reviews}/${site.entry.id}`;
    await get(site, path);
    const next = nextPageOf(await get(site, `${path}?limit=5`));
    expect((await get(site, next.replace(site.product.url, ''))).body).toHaveLength(5);
  }),
  caseOf('the reviews of an entry in every order, filtered, page after page', ['reviews'], async (site) => {
    for (const sort of SORTS) {
      for (const filter of ['', '&stars=4', '&relation=parent', '&months=120', '&stars=4&relation=parent&months=60']) {
        const path = `/auth/${site.category.calls.reviews}/${site.entry.id}?sort=${sort}${filter}&limit=2`;
        const page = await get(site, path);
        expect(page.status).toBe(200);
        const next = nextPageOf(page);
        if (next) expect((await get(site, next)).status).toBe(200);
      }
    }
  }),
  caseOf(
    'the summary of an entry, whole and of a relation, and one review of it',
    ['review_counts', 'relation_counts', 'reviews', 'entries', 'schools'],
    async (site) => {
      const path = `/auth/getEntrySummary/${site.entry.id}`;
      expect((await get(site, path)).body.totalReviews).toBeGreaterThan(100);
      expect((await get(site, `${path}?relation=parent`)).status).toBe(200);
      const [{ id }] = (await get(site, `/auth/${site.category.calls.reviews}/${site.entry.id}?limit=1`)).body;
      expect((await get(site, `/auth/getReview/${id}`)).body.entryId).toBe(site.entry.id);
    },
  ),
  caseOf(
    'helpful marks, set, listed and removed with their user',
    ['helpful_marks', 'reviews', 'entries', 'users'],
    async (site) => {
      const { product, entry, category, admin } = site;
      const { id, token } = await createUser(product);
      const reviews: { id: number }[] = (await get(site, `/auth/${category.calls.reviews}/${entry.id}?limit=3`)).body;
      for (const review of reviews) await post(site, `/auth/markHelpful/${review.id}`, undefined, token);
      const [first] = reviews as [{ id: number }];
      expect((await call(product, `DELETE /auth/markHelpful/${first.id}`, { token })).body).toEqual({ helpful: 0 });
      expect((await get(site, `/auth/getMyHelpful/${entry.id}`, token)).body).toHaveLength(2);
      expect((await call(product, `DELETE /auth/deleteUser/${id}`, { token: admin.token })).status).toBe(204);
    },
  ),
  caseOf(
    'the newest reviews of all entries, page after page, for an admin',
    ['entries', 'reviews', 'schools', 'users'],
    async (site) => {
      const { token } = site.admin;
      const page = await get(site, '/auth/getNewestReviews', token);
      expect(page.body).toHaveLength(100);
      expect((await get(site, nextPageOf(page), token)).body).toHaveLength(100);
    },
  ),
  largeCase('average, total, name and details of an entry', ['entries', 'schools'], async (site) => {
    const { averageRating, totalReviews, nameLookup, details } = site.category.calls;
    for (const name of [averageRating, totalReviews, nameLookup, details]) {
      expect((await get(site, `/auth/${name}/${site.entry.id}`)).status).toBe(200);
    }
  }),
  caseOf('schools by prefix', ['schools'], async (site) => {
    expect((await get(site, '/auth/schools?prefix=s')).body.length).toBeGreaterThan(0);
    expect((await get(site, '/auth/schools?prefix=s&limit=5')).status).toBe(200);
  }),
  caseOf(
    'the search of schools, first of all of them and then of what has changed',
    ['schools', 'review_counts'],
    async (site) => {
      const { token } = site.admin;
      expect((await get(site, '/auth/searchSchools?q=university')).body.total).toBeGreaterThan(0);
      const body = { schoolName: unique('Found'), description: 'x', location: 'y' };
      expect((await post(site, '/auth/postSchool', body, token)).status).toBe(201);
      const found = (await get(site, `/auth/searchSchools?q=${body.schoolName}`)).body.schools;
      expect(found).toHaveLength(1);
      expect((await call(site.product, `DELETE /auth/deleteSchool/${found[0].id}`, { token })).status).toBe(204);
    },
  ),
  caseOf('all schools, the first of them, and one', ['schools'], async (site) => {
    expect((await get(site, '/auth/schools')).body).toHaveLength(AMOUNTS.schools);
    expect((await get(site, '/auth/schools?limit=5')).body).toHaveLength(5);
    expect((await get(site, `/auth/getSchool/${site.entry.schoolId}`)).status).toBe(200);
  }),
  largeCase('the entries of a school', ['entries'], async (site) =>
    expect((await get(site, `/auth/${site.category.calls.list}/${site.entry.schoolId}`)).body).toHaveLength(1),
  ),
  caseOf(
    'the averages of all schools, of one category and of the next, and weighed',
    ['review_counts', 'schools'],
    async (site) => {
      for (const { calls } of CATEGORIES.slice(0, 2)) {
        expect((await get(site, `/auth/${calls.leaderboard}`)).body.length).toBeGreaterThan(0);
      }
      const ranking = await get(site, `/auth/getRanking?category=${site.category.kind}`);
      expect(ranking.body.rows.length).toBeGreaterThan(0);
    },
  ),
  largeCase('the summary of a school, and four compared', ['review_counts', 'reviews', 'schools'], async (site) => {
    const { body } = await get(site, `/auth/getSchoolSummary/${site.entry.schoolId}`);
    expect(body.totalReviews).toBeGreaterThan(0);
    const others = [1, 2, 3, 4].filter((id) => id !== site.entry.schoolId).slice(0, 3);
    const compared = await get(site, `/auth/compareSchools?ids=${[site.entry.schoolId, ...others]}`);
    expect(compared.body.schools).toHaveLength(4);
  }),
  caseOf(
    'voices of a school, of its entries and of all schools',
    ['reviews', 'review_counts', 'moderation_items', 'reports', 'entries', 'schools'],
    async (site) => {
      const { schoolId } = site.entry;
      expect((await get(site, `/auth/getSchoolVoices/${schoolId}`)).body.length).toBeGreaterThan(0);
      const path = `/auth/getEntryVoices/${schoolId}?category=${site.category.kind}`;
      expect((await get(site, path)).body).toHaveLength(1);
      expect((await get(site, '/auth/getVoices')).body).toHaveLength(3);
    },
  ),
  caseOf(
    'a category at a school: its summary, and its reviews in every order, page after page',
    ['reviews', 'review_counts', 'relation_counts', 'entries', 'schools'],
    async (site) => {
      const at = `${site.entry.schoolId}?category=${site.category.kind}`;
      for (const relation of ['', '&relation=parent']) {
        expect((await get(site, `/auth/getCategorySummary/${at}${relation}`)).status).toBe(200);
      }
      for (const sort of SORTS) {
        const page = await get(site, `/auth/getCategoryReviews/${at}&sort=${sort}&limit=2`);
        expect(page.body).toHaveLength(2);
        expect((await get(site, nextPageOf(page))).body).toHaveLength(2);
      }
    },
  ),
  caseOf('saved schools, saved, listed and removed', ['saved_schools', 'schools', 'review_counts'], async (site) => {
    const { token } = await createUser(site.product);
    const school = `/auth/saveSchool/${site.entry.schoolId}`;
    expect((await call(site.product, `PUT ${school}`, { token })).status).toBe(204);
    expect((await get(site, '/auth/getSavedSchools', token)).body).toHaveLength(1);
    expect((await call(site.product, `DELETE ${school}`, { token })).status).toBe(204);
  }),
];
