import { ChevronRight } from 'lucide-react';
import { entryCalls, entryName } from '../../../contract/entries.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { getSchool } from '../../../contract/schools.ts';
import { Breadcrumb } from '../../components/breadcrumb.tsx';
import { CategoryBadge } from '../../components/category-icon.tsx';
import { QueryList } from '../../components/list-states.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { useCategory, usePageId } from '../../page.ts';
import { usePageRead } from '../../page-reads.ts';

/** What a school has in one category: one page for every category. */
export function Component() {
  const category = useCategory();
  const id = usePageId();
  const school = usePageRead(getSchool).data;
  const entries = usePageRead(entryCalls(category).list);
  const { reviews } = categoryPages(category);
  return (
    <div className="category" style={{ '--hue': category.hue }}>
      <div className="border-b border-category-line bg-category-soft">
        <div className="page flex gap-5 py-8">
          <CategoryBadge category={category} className="mt-12 bg-surface max-sm:hidden" />
          <div className="min-w-0">
            {/* Its place is kept while the school's name is on its way. */}
            <div className="min-h-touch">
              {school && <Breadcrumb trail={[{ label: school.schoolName, to: pageAddress(PAGES.school, id) }]} />}
            </div>
            <PageHeading title={school && `${category.label} at ${school.schoolName}`} subtitle={category.summary}>
              {category.label}
            </PageHeading>
          </div>
        </div>
      </div>
      <div className="page py-8">
        <QueryList
          query={entries}
          loading="Loading..."
          empty={`Nothing in ${category.label} has been added for this school yet.`}
          failed="The list could not be loaded."
        >
          {(rows) => (
            <ul className="grid gap-4 md:grid-cols-2">
              {rows.map((entry) => (
                <li key={entry.id}>
                  <PageLink
                    to={pageAddress(reviews, entry.id)}
                    className="card flex h-full items-center gap-4 p-5 transition-colors hover:border-category-line hover:bg-category-soft"
                  >
                    <span className="min-w-0 grow">
                      <span className="block font-serif text-lg font-semibold wrap-anywhere">
                        {entryName(category, entry)}
                      </span>
                      <span className="mt-1 block text-ink-soft wrap-anywhere">{entry.description}</span>
                    </span>
                    <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-category" />
                  </PageLink>
                </li>
              ))}
            </ul>
          )}
        </QueryList>
      </div>
    </div>
  );
}
