import { type EntrySummary, getCategorySummary, getEntrySummary } from '../../../contract/entry-summary.ts';
import { comparePeriods, periodStart, RECENT_MONTHS } from '../../../contract/scores.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { tags } from '../../http/cache/tags.ts';
import { refusals, requireFound } from '../../http/refusals/refusals.ts';
import type { Serve } from '../../http/serve/serve.ts';
import { meanOf, type Tally } from '../../visibility/count-queries.ts';
import { hasSchool } from '../../visibility/queries.ts';
import { type EntryCounts, findCategoryCounts, findEntryCounts } from './queries.ts';

/** Serves the summaries of reviews: of an entry, and of a category at a school. */
export function serveEntrySummaries(serve: Serve, { now }: { now: () => Milliseconds }): void {
  serve.read(
    getEntrySummary,
    async ({ db, params: { entryId }, query: { relation } }) => {
      const counts = await findEntryCounts(db, entryId, periodStart(RECENT_MONTHS, now()), relation);
      return summarise(requireFound(counts, 'entry'), relation);
    },
    ({ params }) => [tags.reviewsOf(params.entryId), tags.today],
  );

  serve.read(
    getCategorySummary,
    async ({ db, params: { schoolId }, query: { category: kind, relation } }) => {
      if (!(await hasSchool(db, schoolId))) throw refusals.notFound('school');
      const counts = await findCategoryCounts(db, { schoolId, kind }, periodStart(RECENT_MONTHS, now()), relation);
      return summarise(counts, relation);
    },
    ({ params: { schoolId } }) => [tags.school(schoolId), tags.reviewsAt(schoolId), tags.today],
  );
}

function tallyOf(histogram: readonly number[]): Tally {
  return {
    reviewCount: histogram.reduce((total, count) => total + count, 0),
    halfStarSum: histogram.reduce((total, count, index) => total + count * (index + 1), 0),
  };
}

function summarise({ everyone, byRelation, recent, isBeingChecked }: EntryCounts, relation?: string): EntrySummary {
  const histogram = relation === undefined ? everyone : (byRelation.get(relation) ?? everyone.map(() => 0));
  const all = tallyOf(histogram);
  const earlier = {
    reviewCount: all.reviewCount - recent.reviewCount,
    halfStarSum: all.halfStarSum - recent.halfStarSum,
  };
  const totalOf = (one: string) => tallyOf(byRelation.get(one) ?? []).reviewCount;
  const declaredCount = [...byRelation.keys()].reduce((total, one) => total + totalOf(one), 0);
  return {
    averageRating: all.reviewCount === 0 ? null : meanOf(all),
    totalReviews: all.reviewCount,
    histogram,
    ...comparePeriods(recent, earlier),
    relations: {
      student: totalOf('student'),
      alumnus: totalOf('alumnus'),
      parent: totalOf('parent'),
      educator: totalOf('educator'),
      undeclared: tallyOf(everyone).reviewCount - declaredCount,
    },
    isBeingChecked,
  };
}
