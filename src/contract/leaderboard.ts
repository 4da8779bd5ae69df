import * as Type from 'typebox';
import { defineCall } from './call.ts';
import type { Category } from './categories.ts';

/** How many schools the page shows. */
export const LEADERBOARD_SHOWN = 5;

export const Standing = Type.Object({ schoolName: Type.String(), averageRating: Type.Number() });
export type Standing = Type.Static<typeof Standing>;

function defineLeaderboardCall(category: Category) {
  return defineCall({
    name: category.calls.leaderboard,
    method: 'GET',
    summary: `Mean of all ${category.label} reviews of each school, highest first`,
    access: 'everyone',
    answer: Type.Array(Standing),
  });
}

const defined = new WeakMap<Category, ReturnType<typeof defineLeaderboardCall>>();

/** The leaderboard call of a category; the same object each time. */
export function leaderboardCall(category: Category) {
  const call = defined.get(category) ?? defineLeaderboardCall(category);
  defined.set(category, call);
  return call;
}
