import { Fragment, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { CATEGORIES } from '../../../contract/categories.ts';
import { getSchoolSummary, overallMean, type SchoolSummary } from '../../../contract/comparison.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { getSchool, listSchools, type School, type SchoolName } from '../../../contract/schools.ts';
import { getSchoolVoices } from '../../../contract/voices.ts';
import { findCachedRow } from '../../api.ts';
import { PageProblem } from '../../components/feedback/page-problem.tsx';
import { DRAWINGS, Drawing } from '../../components/layout/drawing.tsx';
import { Dusk } from '../../components/layout/dusk.tsx';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { type LinkState, ManageLink, TextLink } from '../../components/layout/page-link.tsx';
import { Loading } from '../../components/list/list-states.tsx';
import { CompareButton } from '../../components/school/compare-button.tsx';
import { LongText } from '../../components/school/long-text.tsx';
import { BeingChecked, Score } from '../../components/school/score.tsx';
import { Share } from '../../components/school/share.tsx';
import { CoverageWindows } from '../../components/school/windows.tsx';
import { NO_DESCRIPTION } from '../../format.ts';
import { useDeclaredRead, usePageId } from '../../page.ts';
import { CategoryTiles } from './category-tiles.tsx';
import { SaveButton } from './save-button.tsx';

export function Component() {
  const id = usePageId();
  const schoolRead = useDeclaredRead(getSchool);
  const school = schoolRead.data;
  const { data: summary, isPending: isSummaryPending } = useDeclaredRead(getSchoolSummary);
  const { data: voices = [], isPending: areVoicesPending } = useDeclaredRead(getSchoolVoices);
  const { state }: { state: LinkState | null } = useLocation();
  const name = school
    ? school.schoolName || 'Unnamed school'
    : (findCachedRow<SchoolName>(listSchools, id)?.schoolName ?? state?.name);
  // Everything below the description is rendered together: parts that arrive one by one would shift each other.
  const isLoading = !school || isSummaryPending || areVoicesPending;
  if (schoolRead.error && !school) return <PageProblem query={schoolRead} />;
  return (
    <>
      <SchoolBand school={school} name={name} isLoading={isLoading}>
        {!isLoading && (
          <>
            {summary && (
              <div className="min-w-0 flex-1 basis-80 lg:flex-none">
                <OverallScore summary={summary} />
                <Coverage id={id} summary={summary} />
              </div>
            )}
            <div className="no-print needs-script flex flex-wrap gap-2 max-sm:w-full sm:gap-3 max-sm:[&>button]:min-w-0 max-sm:[&>button]:grow max-sm:[&>button]:px-3">
              <SaveButton key={id} schoolId={id} />
              <CompareButton schoolId={id} />
              <Share kind="school" name={school.schoolName} />
            </div>
          </>
        )}
      </SchoolBand>
      {!isLoading && (
        <div className="page pt-4 pb-10">
          <div className="flex items-center">
            <h2 className="text-xl">Reviews by category</h2>
            <ManageLink to={`${PAGES.adminSchools.path}#${id}`} />
          </div>
          {summary?.totalReviews === 0 && (
            <p className="mt-2 text-lg wrap-anywhere">
              <span>Nobody has written about </span>
              <bdi>{name}</bdi>
              <span> yet. Light the first window.</span>
            </p>
          )}
          <CategoryTiles schoolId={id} summary={summary} voices={voices} />
        </div>
      )}
    </>
  );
}

function OverallScore({ summary }: { summary: SchoolSummary }) {
  const { totalReviews, isBeingChecked } = summary;
  if (totalReviews === 0) return null;
  return (
    <p className="mb-2 flex flex-wrap items-baseline gap-x-3">
      <Score averageRating={overallMean(summary)} totalReviews={totalReviews} />
      {isBeingChecked && <BeingChecked />}
    </p>
  );
}

/** The windows, their meaning in words, and the first category without enough reviews. */
function Coverage({ id, summary: { categories, coverage, totalReviews } }: { id: number; summary: SchoolSummary }) {
  const firstUncovered = totalReviews === 0 ? -1 : categories.findIndex(({ isCovered }) => !isCovered);
  const category = CATEGORIES[firstUncovered];
  return (
    <div className="grid gap-2">
      <CoverageWindows categories={categories} className="h-6.5 max-w-full text-accent" />
      <p>
        <span>{`Reviewed in ${coverage.covered} of ${coverage.of} categories`}</span>
        {category && (
          <span>
            {` · ${category.label} needs more recent reviews: `}
            <TextLink to={`${pageAddress(categoryPages(category).list, id)}#write`} className="font-semibold">
              write one
            </TextLink>
          </span>
        )}
        <span> </span>
        <TextLink to={`${PAGES.scores.path}#then-and-now`} className="text-sm">
          How?
        </TextLink>
      </p>
    </div>
  );
}

interface SchoolBandProps {
  /** Undefined while loading. */
  school: School | undefined;
  /** May be known before the school, from a list that was read earlier or the link that led here. */
  name: string | undefined;
  isLoading: boolean;
  /** Below the description, and beside it where there is room. */
  children: ReactNode;
}

/** The school's own data in the dark band at the top of the page. */
function SchoolBand({ school, name, isLoading, children }: SchoolBandProps) {
  const description = school?.description || NO_DESCRIPTION;
  return (
    <Dusk isLoading={isLoading}>
      <div className="page grid gap-3 pt-8 pb-8 sm:pt-10">
        {/* Rendered only with the name: screen readers would otherwise read a placeholder first. */}
        {name !== undefined && (
          <PageHeading
            title={name}
            subtitle={
              <span className="flex gap-2 text-base">
                <Drawing d={DRAWINGS.place} className={`mt-1 size-4.5 ${school ? '' : 'invisible'}`} />
                <bdi className="min-h-lh min-w-0 wrap-anywhere">
                  {school && (school.location || 'Location not given')}
                </bdi>
              </span>
            }
          >
            <bdi>{name}</bdi>
          </PageHeading>
        )}
        <div className="grid gap-x-16 gap-y-6 lg:grid-cols-[minmax(0,38rem)_minmax(0,1fr)]">
          {school ? (
            <div className="grid content-start gap-3">
              {school.aliases && school.aliases.length > 0 && <Aliases aliases={school.aliases} />}
              <LongText>
                {/* With PROPOSALS=open anybody can add a school: links in its text would count as the site’s own. */}
                {school.isUnchecked ? description : <LinkedText>{description}</LinkedText>}
              </LongText>
            </div>
          ) : (
            // The height of three lines of a description.
            <div className="min-h-20">
              <Loading>Loading school...</Loading>
            </div>
          )}
          <div className="flex flex-wrap items-end gap-x-8 gap-y-4 lg:flex-col lg:items-start">{children}</div>
        </div>
      </div>
    </Dusk>
  );
}

function Aliases({ aliases }: { aliases: readonly string[] }) {
  return (
    <p className="max-w-prose wrap-anywhere">
      <span>Also known as </span>
      {aliases.map((alias, index) => (
        <Fragment key={alias}>
          {index > 0 && <span>, </span>}
          <bdi>{alias}</bdi>
        </Fragment>
      ))}
    </p>
  );
}

/** Some text and the web address that follows it; the last match has none. */
const TEXT_AND_ADDRESS = /(.*?)(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)]|$)/gs;

/** Text in which web addresses are links. Everything else stays plain text. */
function LinkedText({ children }: { children: string }) {
  return [...children.matchAll(TEXT_AND_ADDRESS)].map(({ index, 1: text, 2: address }) => (
    <Fragment key={index}>
      <span>{text}</span>
      {address && (
        <a href={address} rel="nofollow noopener noreferrer" className="text-link wrap-anywhere">
          {address}
        </a>
      )}
    </Fragment>
  ));
}
