import { CATEGORIES } from '../../../contract/categories.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { getSchool } from '../../../contract/schools.ts';
import { PageLink } from '../../components/layout/page-link.tsx';
import { CategoryIcon } from '../../components/school/category-icon.tsx';
import { useDeclaredRead, usePageId } from '../../page.ts';
import { AdminPage } from '../../shared/admin/admin-page.tsx';

export function Component() {
  const id = usePageId();
  const { data: school } = useDeclaredRead(getSchool);
  return (
    <AdminPage
      heading={PAGES.adminChooser.title}
      title={school && `${school.schoolName}: ${PAGES.adminChooser.title}`}
      // A line that waits for the name: what follows does not move.
      subtitle={school?.schoolName ?? '\u00a0'}
      inSchools={[]}
    >
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {CATEGORIES.map((category) => (
          <li
            key={category.kind}
            data-category={category.kind}
            className="card relative flex items-center gap-4 p-4 transition-colors duration-(--quick) hover:border-category-line hover:bg-category-soft"
          >
            <span className="inline-grid size-11 shrink-0 place-items-center rounded-lg bg-category-soft text-category">
              <CategoryIcon category={category} />
            </span>
            <div>
              {/* The link covers the whole tile, but its accessible name is the category alone. */}
              <PageLink
                to={pageAddress(categoryPages(category).adminEntries, id)}
                aria-describedby={`${category.kind}-summary`}
                className="font-serif text-lg font-semibold after:absolute after:inset-0 after:rounded-lg"
              >
                {category.label}
              </PageLink>
              <p id={`${category.kind}-summary`} className="leading-snug text-ink-soft">
                {category.summary}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </AdminPage>
  );
}
