import { expect } from 'vitest';
import { CALLS } from '../../../src/contract/calls.ts';
import { CATEGORIES } from '../../../src/contract/categories.ts';
import { findTallies } from '../../../src/server/entries/leaderboard/queries.ts';
import { call } from '../call.ts';
import { prepare, tokenFor } from '../corpus/fields.ts';
import { type Case, caseOf } from '../plan-site.ts';
import { createWorld } from '../world.ts';

/** The calls of all categories but the first. They send the same statements, so they are left out. */
const CALLS_OF_OTHER_CATEGORIES = new Set<string>(CATEGORIES.slice(1).flatMap(({ calls }) => Object.values(calls)));
const CALLS_TO_MAKE = CALLS.filter(({ name }) => !CALLS_OF_OTHER_CATEGORIES.has(name));

/** The example request of each call, and a query that depends on what has changed meanwhile. */
export const EVERY_CALL: Case[] = [
  caseOf('every call, as its example asks for it', ['schools', 'entries', 'reviews', 'users'], async ({ product }) => {
    let world = await createWorld(product);
    for (const [index, target] of CALLS_TO_MAKE.entries()) {
      // Other users from time to time, because limits stop one who writes as much as this.
      if (index % 20 === 19) world = await createWorld(product);
      const { path, body } = await prepare(target, world);
      const token = await tokenFor(target, world);
      const { status } = await call(product, `${target.method} ${path}`, { token, body });
      expect(status, target.name).toBe(target.status);
    }
  }),
  caseOf('a leaderboard made anew for changed schools', ['review_counts', 'schools'], async (site) => {
    const { schoolId } = site.entry;
    for (const ids of [[schoolId], [schoolId, schoolId + 1]])
      await findTallies(site.product.app.database.read, site.category.kind, ids);
  }),
];
