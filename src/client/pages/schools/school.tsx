import { MapPin } from 'lucide-react';
import { Fragment } from 'react';
import { CATEGORIES } from '../../../contract/categories.ts';
import { categoryPages, pageAddress } from '../../../contract/pages.ts';
import { getSchool, type School } from '../../../contract/schools.ts';
import { CategoryIcon } from '../../components/category-icon.tsx';
import { Dusk } from '../../components/dusk.tsx';
import { ListRow } from '../../components/list-row.tsx';
import { Loading } from '../../components/list-states.tsx';
import { LongText } from '../../components/long-text.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
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
  // Without a heading, which would take the focus and then give way to another.
  if (!school) return <Loading>Loading school...</Loading>;
  return (
    <>
      <SchoolBand school={school} />
      <div className="page pt-4 pb-10">
        <h2 className="text-xl">Reviews by category</h2>
        <ul className="rows mt-2">
          {CATEGORIES.map((category) => (
            <ListRow
              key={category.kind}
              to={pageAddress(categoryPages(category).list, id)}
              name={category.label}
              icon={<CategoryIcon category={category} className="size-8 text-category" />}
              className="category"
              style={{ '--hue': category.hue }}
            >
              <span className="w-1/2 shrink-0 text-sm leading-snug sm:w-3/4 sm:text-base text-ink-soft">
                {category.summary}
              </span>
            </ListRow>
          ))}
        </ul>
      </div>
    </>
  );
}

/** What the school says of itself, at dusk; the page below it is for reading. */
function SchoolBand({ school }: { school: School }) {
  const name = school.schoolName || FALLBACKS.schoolName;
  return (
    <Dusk>
      <div className="page grid gap-3 pt-8 pb-10 sm:pt-10">
        <PageHeading
          title={name}
          subtitle={
            <span className="flex gap-2 text-base">
              <MapPin aria-hidden="true" className="mt-1 size-4.5 shrink-0" strokeWidth={1.75} />
              <bdi className="min-w-0 wrap-anywhere">{school.location || FALLBACKS.location}</bdi>
            </span>
          }
        >
          <bdi>{name}</bdi>
        </PageHeading>
        {school.aliases.length > 0 && (
          <p className="max-w-prose wrap-anywhere">
            Also known as{' '}
            {school.aliases.map((alias, index) => (
              <Fragment key={alias}>
                {index > 0 && ', '}
                <bdi>{alias}</bdi>
              </Fragment>
            ))}
          </p>
        )}
        <LongText>
          <LinkedText>{school.description || FALLBACKS.description}</LinkedText>
        </LongText>
      </div>
    </Dusk>
  );
}
