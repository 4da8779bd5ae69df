import type { EntrySummary } from '../../../contract/entry-summary.ts';
import { countText } from '../../count-text.ts';

/** The trend as one sentence. */
export function trendText({ recent, earlier, change }: EntrySummary): string {
  if (recent.averageRating === null) return 'Too few recent reviews to tell';
  const now = `Last ${recent.months} months: ${recent.averageRating.toFixed(1)} (${countText(recent.totalReviews, 'review')})`;
  if (change === null || earlier.averageRating === null) return now;
  return change === 'steady' ? `${now}, steady` : `${now}, ${change} from ${earlier.averageRating.toFixed(1)}`;
}
