import { MapPin } from 'lucide-react';
import { CATEGORIES } from '../../../contract/categories.ts';
import { categoryPages, pageAddress } from '../../../contract/pages.ts';
import { getSchool } from '../../../contract/schools.ts';
import { CategoryBadge } from '../../components/category-icon.tsx';
import { Loading } from '../../components/list-states.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { PageProblem } from '../../components/page-problem.tsx';
import { usePageId } from '../../page.ts';
import { usePageRead } from '../../page-reads.ts';
import { LinkedText } from './linked-text.tsx';

/** Said where a school says nothing. */
const FALLBACKS = {
  schoolName: 'Unnamed school',
  location: 'Location not given',
  description: 'No description yet.',
};

export function Component() {
  const id = usePageId();
  const { data: school, error, isFetching, refetch } = usePageRead(getSchool);
  if (error && !school) return <PageProblem error={error} onRetry={() => void refetch()} isRetrying={isFetching} />;
  if (!school) return <Loading>Loading school...</Loading>;
  const name = school.schoolName || FALLBACKS.schoolName;
  return (
    <>
      <div className="border-b border-line bg-sunken">
        <div className="page grid gap-4 py-10">
          <PageHeading
            title={name}
            subtitle={
              <span className="inline-flex items-center gap-2">
                <MapPin aria-hidden="true" className="size-5 shrink-0" strokeWidth={1.75} />
                {school.location || FALLBACKS.location}
              </span>
            }
          >
            {name}
          </PageHeading>
          <p className="max-w-prose whitespace-pre-line wrap-anywhere">
            <LinkedText>{school.description || FALLBACKS.description}</LinkedText>
          </p>
        </div>
      </div>
      <div className="page py-8">
        <h2 className="mb-4 text-xl">Reviews by category</h2>
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {CATEGORIES.map((category) => (
            <li key={category.kind}>
              <PageLink
                to={pageAddress(categoryPages(category).list, id)}
                className="category card flex h-full items-start gap-4 p-5 transition-colors hover:border-category-line hover:bg-category-soft"
                style={{ '--hue': category.hue }}
              >
                <CategoryBadge category={category} />
                <span>
                  <span className="block font-serif text-lg font-semibold">{category.label}</span>
                  <span className="mt-1 block text-ink-soft">{category.summary}</span>
                </span>
              </PageLink>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
