import { useQuery } from '@tanstack/react-query';
import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { getSavedSchools } from '../../../contract/saved-schools.ts';
import { callQuery } from '../../api.ts';
import { ListRow } from '../../components/list/list-row.tsx';
import { QueryList } from '../../components/list/list-states.tsx';
import { countText } from '../../format.ts';
import { useSession } from '../../session.ts';

/** The schools that the user has saved, the newest first. */
export function SavedSchools() {
  const session = useSession();
  const query = useQuery({ ...callQuery(getSavedSchools), enabled: session !== null });
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
            {schools.map(({ id, schoolName, location, totalReviews }) => (
              <ListRow key={id} to={pageAddress(PAGES.school, id)} name={schoolName} detail={location} comparesId={id}>
                <span className="text-sm text-ink-soft tabular-nums">{countText(totalReviews, 'review')}</span>
              </ListRow>
            ))}
          </ul>
        )}
      </QueryList>
    </section>
  );
}
