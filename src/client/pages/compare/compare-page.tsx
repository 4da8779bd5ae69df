import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { CATEGORIES, findCategory } from '../../../contract/categories.ts';
import { type Comparison, compareSchools, getSchoolSummary, type SchoolSummary } from '../../../contract/comparison.ts';
import { comparedIds } from '../../../contract/page-reads.ts';
import { COMPARED_MAX } from '../../../contract/pages.ts';
import { getSchoolVoices, type Voice as Quoted } from '../../../contract/voices.ts';
import { callQuery } from '../../api.ts';
import { comparisonAddress, setComparedSchools } from '../../compared-schools.ts';
import { DisclosureCard } from '../../components/feedback/disclosure-card.tsx';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { StandaloneLink } from '../../components/layout/page-link.tsx';
import { Loaded } from '../../components/list/list-states.tsx';
import { CategoryIcon } from '../../components/school/category-icon.tsx';
import { SchoolSearch } from '../../components/school/school-search.tsx';
import { Voice } from '../../components/school/voice.tsx';
import { type Light, lightOf, Windows } from '../../components/school/windows.tsx';
import { countText } from '../../format.ts';
import { focusPage, passFocusOn } from '../../navigation.ts';
import { useDeclaredRead, usePageQuery } from '../../page.ts';
import { backgroundText } from '../../shared/reviews/background-texts.ts';
import { ChosenSchool, ComparisonTable, LEADING_ADDRESS } from './comparison-table.tsx';

const LOADING = 'Loading schools...';

interface ChosenProps {
  onRemove: (id: number) => void;
}

function SeveralSchools({ onRemove }: ChosenProps) {
  return (
    <Loaded
      query={useDeclaredRead(compareSchools)}
      loading={LOADING}
      fillsPage
      failed="The schools could not be compared."
    >
      {(comparison) => (
        <>
          <Differences comparison={comparison} />
          <ComparisonTable comparison={comparison} onRemove={onRemove} />
          <ComparedVoices schools={comparison.schools} />
        </>
      )}
    </Loaded>
  );
}

/** The result of the comparison, in one sentence. */
function Differences({ comparison: { schools, verdicts } }: { comparison: Comparison }) {
  const decided = verdicts.filter(({ verdict }) => verdict === 'lead');
  const labels = decided.map(({ category }) => findCategory(category)?.label);
  if (schools.every(({ totalReviews }) => totalReviews === 0)) return null;
  return (
    <p className="mb-6 text-lg">
      <span>{labels.length > 0 ? `Where they differ: ${labels.join(', ')}.` : 'Nothing sets them apart yet.'}</span>
      {/* Where the table has no column heads that can be seen, whose link is not shown either. */}
      <StandaloneLink to={LEADING_ADDRESS} className="ml-2 text-sm lg:hidden">
        How?
      </StandaloneLink>
    </p>
  );
}

/** The only school that is chosen, below the search. It has no table, because there is nothing to compare it with. */
function OneSchool({ onRemove }: ChosenProps) {
  return (
    <Loaded query={useDeclaredRead(getSchoolSummary)} loading={LOADING} failed="The school could not be loaded.">
      {(school) => (
        <section aria-label="Chosen" className="grid gap-4">
          <div className="max-w-2xl rounded-lg border border-line bg-surface px-4 py-2">
            <ChosenSchool school={school} onRemove={() => onRemove(school.id)} />
          </div>
          <p className="text-ink-soft">Add one more to compare it with.</p>
          <Streets lights={school.categories.map(lightOf)} />
        </section>
      )}
    </Loaded>
  );
}

export function Component() {
  const query = usePageQuery();
  const ids = comparedIds(query);
  const navigate = useNavigate();

  // The schools of a bookmarked or shared address are chosen on other pages too.
  useEffect(() => {
    if (query.ids !== undefined) setComparedSchools(comparedIds({ ids: query.ids }));
  }, [query.ids]);

  function show(chosen: readonly number[]): void {
    setComparedSchools(chosen);
    void navigate(comparisonAddress(chosen), { replace: true });
  }

  function remove(id: number): void {
    show(ids.filter((other) => other !== id));
    // The button disappears with its school.
    focusPage();
  }

  return (
    <div className="page pt-8 pb-16 sm:pt-10">
      <PageHeading subtitle={ids.length < 2 ? 'Two to four, category by category.' : undefined}>
        Compare schools
      </PageHeading>
      <div className="no-print mt-6 mb-8">
        {ids.length < COMPARED_MAX ? (
          <div ref={passFocusOn}>
            <SchoolSearch
              label="Add a school"
              // Before there is anything to compare, the search is what the page is for.
              isLarge={ids.length < 2}
              onChoose={({ id }) => show(ids.includes(id) ? ids : [...ids, id])}
            />
          </div>
        ) : (
          <p className="text-ink-soft">Four schools at most: remove one to add another.</p>
        )}
      </div>
      {/* Only for screen readers: others see the table change. */}
      <p aria-live="polite" className="sr-only">
        {ids.length > 0 && `${countText(ids.length, 'school')} chosen`}
      </p>
      {ids.length > 1 && <SeveralSchools onRemove={remove} />}
      {ids.length === 1 && <OneSchool onRemove={remove} />}
      {ids.length === 0 && <Streets />}
    </div>
  );
}

/**
 * A picture of a comparison: the windows of two schools.
 * @param lights those of the first school; the second, which is still to be chosen, is dark
 */
function Streets({ lights = [] }: { lights?: readonly Light[] }) {
  return (
    <div
      aria-hidden="true"
      className="no-print grid gap-6 rounded-lg bg-night p-4 text-accent sm:gap-20 sm:px-10 sm:py-24"
    >
      <Windows lights={lights} className="w-full" />
      <Windows lights={[]} className="w-full" />
    </div>
  );
}

/** One quote about each school, a student's if there is one: they are shown before anybody opens the other quotes. */
function FirstQuotes({ voices }: { voices: readonly Quoted[] }) {
  const bySchool = Map.groupBy(voices, ({ schoolId }) => schoolId);
  const quotes = [...bySchool.values()].flatMap((ofSchool) => ofSchool.find(isOfStudent) ?? ofSchool.slice(0, 1));
  return (
    <span className="grid gap-x-12 gap-y-4 md:grid-cols-2">
      {quotes.map(({ reviewId, quote, schoolName, ...author }) => (
        <span key={reviewId} className="grid content-start gap-1">
          <span dir="auto" className="voice-quote lines-2">{`“${quote}”`}</span>
          <span className="text-sm wrap-anywhere text-ink-soft">
            {backgroundText(author) && <span>{`${backgroundText(author)} · `}</span>}
            <bdi>{schoolName}</bdi>
          </span>
        </span>
      ))}
    </span>
  );
}

const isOfStudent = ({ relation }: Quoted) => relation === 'student';

/** Quotes about the compared schools, category by category. Categories without quotes are left out. */
function ComparedVoices({ schools }: { schools: readonly SchoolSummary[] }) {
  // The same reads as contract/page-reads.ts declares for the page, so that the answers are already there.
  const reads = useQueries({
    queries: schools.map(({ id }) => callQuery(getSchoolVoices, { params: { schoolId: id } })),
  });
  const [isOpen, setIsOpen] = useState(false);
  const voices = reads.flatMap(({ data = [] }) => data);
  if (voices.length === 0) return null;
  const byCategory = Map.groupBy(voices, ({ category }) => category);
  return (
    <DisclosureCard
      summary="What people say"
      preview={!isOpen && <FirstQuotes voices={voices} />}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      className="mt-8"
    >
      <div className="grid gap-8">
        {CATEGORIES.filter(({ kind }) => byCategory.has(kind)).map((category) => (
          <section key={category.kind} data-category={category.kind}>
            <h2 className="flex items-center gap-3 text-lg">
              <CategoryIcon category={category} className="size-6 text-category" />
              <span>{category.label}</span>
            </h2>
            <ul className="mt-2 grid gap-x-12 gap-y-6 md:grid-cols-2">
              {byCategory.get(category.kind)?.map((voice) => (
                <li key={voice.reviewId}>
                  <Voice voice={voice} about={`${voice.entryName}, ${voice.schoolName}`} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </DisclosureCard>
  );
}
