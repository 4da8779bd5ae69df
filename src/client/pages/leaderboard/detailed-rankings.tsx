import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { PageLink } from '../../components/layout/page-link.tsx';
import { BeingChecked } from '../../components/school/score.tsx';
import { Stars } from '../../components/school/stars.tsx';
import { hasFewReviews, type RankedSchool, ratingText, reviewCountText } from './rankings.ts';

/** Gold, grey and bronze for the first three, light grey for all others (spec §2). */
const BADGES = ['bg-gold', 'bg-silver', 'bg-bronze'];
const OTHER_BADGE = 'bg-no-medal';

const COLUMN_HEADS = ['Position', 'School', 'Rating'];

/**
 * The ranked list. It is a table because it also serves readers who cannot see the chart; its column heads are for
 * screen readers only.
 */
export function DetailedRankings({ schools }: { schools: readonly RankedSchool[] }) {
  return (
    <div className="relative min-w-0">
      <h3 id="rankings-title" className="text-lg">
        Detailed Rankings
      </h3>
      <table aria-labelledby="rankings-title" className="w-full border-collapse text-left">
        <thead>
          <tr>
            {COLUMN_HEADS.map((head) => (
              <th key={head} scope="col" className="p-0 leading-0">
                <span className="sr-only">{head}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {schools.map((school, index) => (
            // Every row has the height that the longest name takes: nothing below moves when the category changes.
            <tr key={school.schoolId ?? school.schoolName} className="group relative h-24 sm:h-16">
              <td className="w-12 py-2">
                <span
                  className={`grid size-9 place-items-center rounded-full font-semibold text-on-medal tabular-nums ${BADGES[index] ?? OTHER_BADGE}`}
                >
                  {index + 1}
                </span>
              </td>
              <th scope="row" className="py-2 font-normal">
                <RankedName schoolId={school.schoolId}>{school.schoolName}</RankedName>
                <span className="flex gap-x-3 leading-snug max-sm:flex-col sm:items-center">
                  {/* Whole stars only, rounded down (spec §9). The figure at the right is exact. */}
                  <Stars value={school.rating} filledStars={Math.floor(school.rating)} className="h-4 w-20" />
                  <span className="flex gap-x-2">
                    <span className="lines-1 text-sm text-ink-soft tabular-nums">{reviewCountText(school)}</span>
                    {school.isBeingChecked && <BeingChecked className="relative z-10" />}
                  </span>
                </span>
              </th>
              <td
                className={`py-2 pl-4 text-right font-serif text-lg font-semibold tabular-nums ${hasFewReviews(school) ? 'text-ink-soft' : ''}`}
              >
                {ratingText(school.rating)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The name of a school, which makes its whole row a link to the school. */
function RankedName({ schoolId, children }: { schoolId: number | undefined; children: string }) {
  const style = 'lines-2 sm:lines-1 min-h-6 leading-snug font-semibold wrap-anywhere';
  return schoolId === undefined ? (
    <span dir="auto" title={children} className={style}>
      {children}
    </span>
  ) : (
    <PageLink
      to={pageAddress(PAGES.school, schoolId)}
      dir="auto"
      title={children}
      className={`${style} group-hover:underline after:absolute after:inset-0`}
    >
      {children}
    </PageLink>
  );
}
