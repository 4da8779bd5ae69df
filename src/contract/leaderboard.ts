import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { type Category, perCategory } from './categories.ts';
import { addedField, CategoryField, Id, Mean } from './fields.ts';
import { PRIOR_WEIGHT } from './scores.ts';

/** How many schools the page shows. */
export const LEADERBOARD_SHOWN = 5;

export const Standing = Type.Object({
  schoolId: addedField(Id),
  schoolName: Type.String(),
  averageRating: Type.Number(),
  totalReviews: addedField(Type.Integer()),
  /** Whether its figures count reviews that are being checked. */
  isBeingChecked: addedField(Type.Boolean()),
});
export type Standing = Type.Static<typeof Standing>;

function defineLeaderboardCall(category: Category) {
  return defineCall({
    name: category.calls.leaderboard,
    summary: `Mean of all ${category.label} reviews of each school, highest first`,
    access: 'everyone',
    answer: Type.Array(Standing),
  });
}

/** The leaderboard call of a category. Returns the same object at every call. */
export const leaderboardCall = perCategory(defineLeaderboardCall);

const RankingRow = Type.Object({
  schoolId: Id,
  schoolName: Type.String(),
  averageRating: Type.Number(),
  totalReviews: Type.Integer(),
  /** The number of reviews that do not count here because they are being checked. */
  leftOut: Type.Integer(),
  weightedRating: Type.Number(),
  isBeingChecked: addedField(Type.Boolean()),
});

export const Ranking = Type.Object({
  category: CategoryField,
  /** The mean of all counted reviews of the category. */
  priorMean: Mean,
  priorWeight: Type.Literal(PRIOR_WEIGHT),
  rows: Type.Array(RankingRow),
});
export type Ranking = Type.Static<typeof Ranking>;

export const getRanking = defineCall({
  name: 'getRanking',
  summary: 'The schools of one category by the mean of their reviews, weighed by how many they are, highest first',
  access: 'everyone',
  query: Type.Object({ category: CategoryField }),
  answer: Ranking,
});
