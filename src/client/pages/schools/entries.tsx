import { entryCalls, entryName } from '../../../contract/entries.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { getSchool } from '../../../contract/schools.ts';
import { Breadcrumb } from '../../components/layout/breadcrumb.tsx';
import { ManageLink } from '../../components/layout/manage-link.tsx';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { ListRow } from '../../components/list/list-row.tsx';
import { QueryList } from '../../components/list/list-states.tsx';
import { CategoryIcon } from '../../components/school/category-icon.tsx';
import { Score } from '../../components/school/score.tsx';
import { useCategory, usePageId } from '../../page.ts';
import { usePageRead } from '../../page-reads.ts';
import { AddEntry } from '../../shared/proposals/add-button.tsx';

/** The entries of a school in one category. All categories share this page. */
export function Component() {
  const category = useCategory();
  const id = usePageId();
  const school = usePageRead(getSchool).data;
  const entries = usePageRead(entryCalls(category).list);
  const { reviews } = categoryPages(category);
  return (
    <div className="page pt-4 pb-10" data-category={category.kind}>
      {/* Space is reserved while the school's name is loading. */}
      <div className="flex min-h-touch items-start gap-4">
        {school && <Breadcrumb trail={[{ label: school.schoolName, to: pageAddress(PAGES.school, id) }]} />}
        <ManageLink category={category} schoolId={id} />
      </div>
      <div className="flex gap-4">
        <CategoryIcon category={category} className="mt-0.5 size-8 text-category sm:mt-1 sm:size-10" />
        <PageHeading title={school && `${category.label} at ${school.schoolName}`} subtitle={category.summary}>
          {category.label}
          {school && (
            <>
              {' at '}
              <bdi>{school.schoolName}</bdi>
            </>
          )}
        </PageHeading>
      </div>
      <div className="mt-8">
        <QueryList
          query={entries}
          loading="Loading..."
          empty={`Nothing in ${category.label} has been added for this school yet.`}
          failed="The list could not be loaded."
        >
          {(rows) => (
            <ul className="rows">
              {rows.map((entry) => (
                <ListRow
                  key={entry.id}
                  to={pageAddress(reviews, entry.id)}
                  name={entryName(category, entry)}
                  detail={entry.description}
                >
                  <Score {...entry} />
                </ListRow>
              ))}
            </ul>
          )}
        </QueryList>
      </div>
      <AddEntry category={category} schoolId={id} schoolName={school?.schoolName} entries={entries.data} />
    </div>
  );
}
