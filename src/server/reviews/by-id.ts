import { getReview } from '../../contract/reviews.ts';
import { tags } from '../http/cache/tags.ts';
import { refusals } from '../http/refusals/refusals.ts';
import type { Serve } from '../http/serve/serve.ts';
import { findLocatedReview } from './queries.ts';

/** Serves single reviews, by a call without a category. */
export function serveReviewsById(serve: Serve): void {
  serve.read(
    getReview,
    async ({ db, params }) => {
      const review = await findLocatedReview(db, params.reviewId);
      if (!review) throw refusals.notFound('review');
      return review;
    },
    (_, { entryId, schoolId }) => [tags.reviewsOf(entryId), tags.entry(entryId), tags.school(schoolId)],
  );
}
