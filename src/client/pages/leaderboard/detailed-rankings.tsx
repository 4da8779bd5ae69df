import type { Standing } from '../../../contract/leaderboard.ts';
import { ratingText } from './rankings.ts';
import { WholeStars } from './whole-stars.tsx';

/** Gold, grey and bronze for the first three, light grey for all others (spec §2). */
const BADGES = ['bg-gold', 'bg-silver', 'bg-bronze'];
const OTHER_BADGE = 'bg-no-medal';

export function DetailedRankings({ standings }: { standings: readonly Standing[] }) {
  return (
    <div>
      <h3 className="text-lg">Detailed Rankings</h3>
      <ol className="mt-2 divide-y divide-line">
        {standings.map(({ schoolName, averageRating }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two schools may share a name, and the rank is the index.
          <li key={index} className="flex items-center gap-4 py-3">
            <span
              className={`grid size-9 shrink-0 place-items-center rounded-full font-semibold text-on-medal tabular-nums ${BADGES[index] ?? OTHER_BADGE}`}
            >
              {index + 1}
            </span>
            <div className="min-w-0 grow">
              <p className="leading-snug font-semibold wrap-anywhere">{schoolName}</p>
              <WholeStars rating={averageRating} />
            </div>
            <p className="font-serif text-lg font-semibold tabular-nums">{ratingText(averageRating)}</p>
          </li>
        ))}
      </ol>
    </div>
  );
}
