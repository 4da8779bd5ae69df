import { getSchoolSummary, overallMean } from '../../../contract/comparison.ts';
import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { getSavedSchools, type SavedSchool } from '../../../contract/saved-schools.ts';
import { getSchoolVoices } from '../../../contract/voices.ts';
import { ListRow } from '../../components/list/list-row.tsx';
import { QueryList } from '../../components/list/list-states.tsx';
import { Score } from '../../components/school/score.tsx';
import { Voice } from '../../components/school/voice.tsx';
import { CoverageWindows } from '../../components/school/windows.tsx';
import { useRead } from '../../page.ts';
import { useSession } from '../../session.ts';

/** The schools that the user has saved, the newest first. */
export function SavedSchools() {
  const session = useSession();
  const query = useRead(getSavedSchools, {}, { enabled: session !== null });
  return (
    <section aria-labelledby="saved-title" className="no-print">
      <h2 id="saved-title" className="text-xl">
        Saved schools
      </h2>
      <QueryList
        query={query}
        loading="Loading saved schools..."
        empty="No saved schools yet."
        failed="The saved schools could not be loaded."
      >
        {(schools) => (
          <ul className="rows mt-2">
            {schools.map((school) => (
              <SavedRow key={school.id} school={school} />
            ))}
          </ul>
        )}
      </QueryList>
    </section>
  );
}

/** A school with its windows, its figure and its newest quote, from cached answers that everybody shares. */
function SavedRow({ school: { id, schoolName, location, totalReviews, isBeingChecked } }: { school: SavedSchool }) {
  const parts = { params: { schoolId: id } };
  const isReviewed = totalReviews > 0;
  const { data: summary } = useRead(getSchoolSummary, parts, { enabled: isReviewed });
  const { data: voices, isPending } = useRead(getSchoolVoices, parts, { enabled: isReviewed });
  const voice = voices?.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))[0];
  return (
    <ListRow
      to={pageAddress(PAGES.school, id)}
      name={schoolName}
      detail={location}
      comparesId={id}
      isBeingChecked={isBeingChecked}
      below={
        isReviewed && (
          // While the quotes are loading, this reserves the height that most of them have.
          <div className={`grid max-w-prose gap-2 ${isPending ? 'min-h-22' : ''}`}>
            {summary && <CoverageWindows categories={summary.categories} isSmall className="h-3 text-accent" />}
            {voice && <Voice voice={voice} about={voice.entryName} />}
          </div>
        )
      }
    >
      <Score averageRating={summary && overallMean(summary)} totalReviews={totalReviews} isShort />
    </ListRow>
  );
}
