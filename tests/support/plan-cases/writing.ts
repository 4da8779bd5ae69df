import { expect } from 'vitest';
import { BURST_REVIEWS } from '../../../src/contract/bursts.ts';
import { checkRemovals } from '../../../src/server/reviews/removals/check.ts';
import { call } from '../call.ts';
import { hide, moderate, report } from '../moderation.ts';
import { type Case, caseOf, get, nextPageOf, post } from '../plan-site.ts';
import { accept, proposeEntry, proposeSchool, refuse } from '../proposals.ts';
import { createUser, postReview, unique } from '../rows.ts';

/** Reviews and proposals, and what is decided about them. */
export const WRITING: Case[] = [
  caseOf(
    "one's own review, corrected and withdrawn",
    ['sessions', 'users', 'throttles', 'entries', 'reviews'],
    async ({ product, user, entry, category }) => {
      const { calls } = category;
      const { token } = user;
      const { body } = await postReview(product, category, entry.id, user);
      expect((await call(product, `GET /auth/${calls.myReview}/${entry.id}`, { token })).body.id).toBe(body.id);
      const change = { id: body.id, rating: 1, review: 'Worse now.' };
      expect((await call(product, `PUT /auth/${calls.updateReview}`, { token, body: change })).status).toBe(200);
      expect((await call(product, `DELETE /auth/${calls.removeReview}/${body.id}`, { token })).status).toBe(204);
    },
  ),
  caseOf(
    'a report, its decision, the appeal and what everyone sees of it',
    ['reports', 'appeals', 'moderation_items', 'review_events', 'removals', 'removal_heads', 'users'],
    async (site) => {
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
  ),
  caseOf(
    'a burst, its banner and queue, and the ranking without it',
    ['moderation_items', 'reviews', 'review_counts'],
    async (site) => {
      const { product, entry, category } = site;
      const authors = await Promise.all(Array.from({ length: BURST_REVIEWS + 1 }, () => createUser(product)));
      for (const author of authors) expect((await postReview(product, category, entry.id, author)).status).toBe(201);
      expect((await get(site, `/auth/getEntrySummary/${entry.id}`)).body.isBeingChecked).toBe(true);
      expect((await get(site, `/auth/getRanking?category=${category.kind}`)).status).toBe(200);
      expect((await get(site, '/auth/getReports', site.admin.token)).body[0].isBurst).toBe(true);
    },
  ),
  caseOf(
    'proposals, joined, corrected, withdrawn, listed, accepted and refused',
    ['proposals', 'proposal_reviews', 'schools', 'entries', 'reviews', 'users'],
    async (site) => {
      const { product, admin, entry } = site;
      const proposer = await createUser(product);
      const { schoolId } = entry;
      const review = { rating: 4, review: 'Fine.' };
      const name = unique('Proposed');
      const first = await proposeEntry(product, proposer, { schoolId, name, review });
      for (const leaves of [true, false]) {
        const { token } = await createUser(product);
        expect((await proposeEntry(product, { token }, { schoolId, name, review })).body.id).toBe(first.body.id);
        const path = `/auth/updateMyProposal/${first.body.id}`;
        expect((await call(product, `PUT ${path}`, { token, body: { review } })).status).toBe(200);
        if (leaves) await call(product, `DELETE /auth/withdrawMyProposal/${first.body.id}`, { token });
      }
      const second = await proposeSchool(product, proposer, { schoolName: unique('Proposed'), location: 'Here' });
      for (const state of ['open', 'accepted', 'refused']) {
        expect((await get(site, `/auth/getProposals?state=${state}`, admin.token)).status).toBe(200);
      }
      expect((await get(site, '/auth/getOpenCounts', admin.token)).body.proposals).toBe(2);
      expect((await accept(product, admin, first.body.id)).status).toBe(200);
      expect((await refuse(product, admin, second.body.id, 'It is there.')).status).toBe(200);
      const own = await get(site, '/auth/getMyProposals?limit=1', proposer.token);
      expect((await get(site, nextPageOf(own), proposer.token)).body).toMatchObject([{ state: 'accepted' }]);
      await product.app.outbox.flush();
    },
  ),
];
