import type { Standing } from '../../../contract/leaderboard.ts';
import { Stars } from '../../components/stars.tsx';
import { ratingText } from './rankings.ts';

/** Gold, grey and bronze for the first three, light grey for all others (spec §2). */
const BADGES = ['bg-gold', 'bg-silver', 'bg-bronze'];
const OTHER_BADGE = 'bg-no-medal';

const HEADS = ['Position', 'School', 'Average rating'];

/** The ranked list. A table, because it is the chart's twin for those who cannot see bars; its heads are theirs alone. */
export function DetailedRankings({ standings }: { standings: readonly Standing[] }) {
  return (
    <div className="relative min-w-0">
      <h3 id="rankings-title" className="text-lg">
        Detailed Rankings
      </h3>
      <table aria-labelledby="rankings-title" className="mt-1 w-full border-collapse text-left">
        <thead>
          <tr>
            {HEADS.map((head) => (
              <th key={head} scope="col" className="p-0 leading-0">
                <span className="sr-only">{head}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {standings.map(({ schoolName, averageRating }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two schools may share a name, and the rank is the index.
            <tr key={index}>
              <td className="w-13 py-3">
                <span
                  className={`grid size-9 place-items-center rounded-full font-semibold text-on-medal tabular-nums ${BADGES[index] ?? OTHER_BADGE}`}
                >
                  {index + 1}
                </span>
              </td>
              <th scope="row" className="py-3 font-normal">
                <p className="leading-snug font-semibold wrap-anywhere">{schoolName}</p>
                {/* Whole stars only, rounded down (spec §9): the figure beside them has the rest. */}
                <Stars value={averageRating} filled={Math.floor(averageRating)} className="size-4" />
              </th>
              <td className="py-3 pl-4 text-right font-serif text-lg font-semibold tabular-nums">
                {ratingText(averageRating)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
