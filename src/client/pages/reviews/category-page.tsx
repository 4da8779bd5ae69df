import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { Category } from '../../../contract/categories.ts';
import { type Entry, entryCalls } from '../../../contract/entries.ts';
import { type EntrySummary, getCategorySummary } from '../../../contract/entry-summary.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import type { PostedReview } from '../../../contract/reviews.ts';
import { getSchool } from '../../../contract/schools.ts';
import { getEntryVoices, type Voice as Quoted } from '../../../contract/voices.ts';
import { invalidateReads } from '../../api.ts';
import { Breadcrumb } from '../../components/layout/breadcrumb.tsx';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { ManageLink, StandaloneLink } from '../../components/layout/page-link.tsx';
import { Empty, Loaded, Loading } from '../../components/list/list-states.tsx';
import { CategoryIcon } from '../../components/school/category-icon.tsx';
import { LargeWindow, NewLight } from '../../components/school/light.tsx';
import { BeingChecked, Score } from '../../components/school/score.tsx';
import { Voice } from '../../components/school/voice.tsx';
import { numberText } from '../../format.ts';
import { useHistoryState } from '../../history-state.ts';
import { isAnyPending, useCategory, useDeclaredRead, usePageId } from '../../page.ts';
import { AddEntry } from '../../shared/proposals/add-button.tsx';
import type { EntryPlace } from '../../shared/proposals/entry-dialog.tsx';
import { proposalMode } from '../../site.ts';
import { EntryRows } from './entry-rows.tsx';
import { Histogram, Trend } from './histogram.tsx';
import { WriteHere } from './write-here.tsx';

/** The heading of the form, to which "write one" links. */
const FORM_ID = 'write';

/** A category at a school: its figures, its entries, and the form for another review. */
export function Component() {
  const category = useCategory();
  const id = usePageId();
  const schoolRead = useDeclaredRead(getSchool);
  const school = schoolRead.data;
  const entries = useDeclaredRead(entryCalls(category).list);
  const summary = useDeclaredRead(getCategorySummary);
  const voices = useDeclaredRead(getEntryVoices);
  const isPending = entries.isPending || isAnyPending(schoolRead, summary, voices);
  return (
    <div className="page pt-1 pb-10" data-category={category.kind}>
      {/* Space is reserved while the school's name is loading. */}
      <div className="flex min-h-touch items-start gap-4">
        {school && <Breadcrumb trail={[{ label: school.schoolName, to: pageAddress(PAGES.school, id) }]} />}
        <ManageLink to={pageAddress(categoryPages(category).adminEntries, id)} />
      </div>
      <div className="flex gap-4">
        <CategoryIcon
          category={category}
          className="mt-0.5 size-8 text-category max-[16rem]:hidden sm:mt-1 sm:size-10"
        />
        <PageHeading title={school && `${category.label} at ${school.schoolName}`} subtitle={category.summary}>
          <span>{category.label}</span>
          {school && (
            <span>
              {' at '}
              <bdi>{school.schoolName}</bdi>
            </span>
          )}
        </PageHeading>
      </div>
      {isPending ? (
        <Loading />
      ) : (
        <Loaded query={entries} failed="The list could not be loaded.">
          {(rows) => (
            <CategoryContent
              category={category}
              schoolId={id}
              schoolName={school?.schoolName}
              entries={rows}
              summary={summary.data}
              voices={voices.data ?? []}
            />
          )}
        </Loaded>
      )}
    </div>
  );
}

interface CategoryContentProps extends EntryPlace {
  /** Undefined when it could not be loaded. */
  summary: EntrySummary | undefined;
  voices: readonly Quoted[];
}

/** How many quotes represent the category, if it has more entries than that. */
const LEADING_QUOTES_MAX = 2;

/** The quotes of the entries with the most reviews. None if there are few entries: then the list has all quotes. */
function findLeadingVoices(entries: readonly Entry[], voices: readonly Quoted[]): Quoted[] {
  if (entries.length <= LEADING_QUOTES_MAX) return [];
  return entries
    .toSorted((one, other) => (other.totalReviews ?? 0) - (one.totalReviews ?? 0))
    .slice(0, LEADING_QUOTES_MAX)
    .flatMap(({ id }) => voices.find(({ entryId }) => entryId === id) ?? []);
}

function CategoryContent({ summary, voices, ...props }: CategoryContentProps) {
  const { category, schoolName, entries } = props;
  const [posted, setPosted] = useState<PostedReview>();
  const [isAdding, setIsAdding] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const isEmpty = entries.length === 0;
  const canWrite = !isEmpty || proposalMode() !== 'off';
  const leadingVoices = findLeadingVoices(entries, voices);

  async function finish(review?: PostedReview): Promise<void> {
    await invalidateReads(entryCalls(category).list, getCategorySummary, getEntryVoices);
    if (review) setPosted(review);
    heading.current?.focus({ preventScroll: review !== undefined });
  }

  const addEntry = <AddEntry {...props} onToggle={setIsAdding} />;
  const readingColumn = (
    <div className="min-w-0">
      {posted && <NewLight key={posted.id} {...props} schoolName={schoolName ?? ''} isFirst={posted.isFirst} />}
      {summary && summary.totalReviews > 0 && (
        <CategoryFigures {...props} summary={summary} voices={leadingVoices} form={form} />
      )}
      {isEmpty ? (
        <EmptyCategory category={category} canWrite={canWrite} />
      ) : (
        // The quotes above are not repeated.
        <EntryRows
          category={category}
          entries={entries}
          voices={voices.filter((voice) => !leadingVoices.includes(voice))}
        />
      )}
      {!isEmpty && addEntry}
    </div>
  );
  return (
    <>
      <div
        className={`mt-6 grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-10 print:block ${isEmpty ? 'justify-center lg:grid-cols-[minmax(0,36rem)]' : 'justify-between lg:grid-cols-[minmax(0,42rem)_22rem]'}`}
      >
        {readingColumn}
        {/* The dialog has the same fields, which must not be on the page twice while it is open. */}
        {canWrite && !isAdding && (
          <section className={`no-print needs-script letters min-w-0 ${isEmpty ? '' : 'writing'}`}>
            <h2 id={FORM_ID} ref={heading} tabIndex={-1} className="mb-1 flex min-h-touch items-center text-xl">
              Write a Review
            </h2>
            <WriteForm {...props} form={form} onDone={(review) => void finish(review)} />
          </section>
        )}
      </div>
      {isEmpty && addEntry}
    </>
  );
}

const focusFirstField = (form: RefObject<HTMLFormElement | null>) =>
  form.current?.querySelector('input')?.focus({ preventScroll: true });

/** The form for a review. Its first field takes the focus if a link on another page led to it. */
function WriteForm(props: Parameters<typeof WriteHere>[0]) {
  const { form } = props;
  const { hash } = useLocation();
  // Somebody who comes back is not led to the form again.
  const [wasLedHere, setWasLedHere] = useHistoryState(false);
  useEffect(() => {
    if (hash !== `#${FORM_ID}` || wasLedHere) return;
    setWasLedHere(true);
    // Somebody has begun to write before the code was there.
    if (document.activeElement?.matches('input, textarea')) return;
    document.getElementById(FORM_ID)?.scrollIntoView();
    focusFirstField(form);
  }, [hash, wasLedHere, setWasLedHere, form]);
  return <WriteHere {...props} />;
}

interface CategoryFiguresProps extends Pick<EntryPlace, 'category' | 'schoolId'> {
  summary: EntrySummary;
  voices: readonly Quoted[];
  form: RefObject<HTMLFormElement | null>;
}

/** The figures of all reviews of the category at the school, and the leading quotes. */
function CategoryFigures({ category, schoolId, summary, voices, form }: CategoryFiguresProps) {
  const addressOf = (query = {}) => pageAddress(PAGES.schoolReviews, schoolId, { category: category.kind, ...query });
  return (
    <div className="mb-6 grid gap-4">
      <div className="grid items-end gap-x-8 gap-y-2 sm:grid-cols-2">
        <div>
          <p className="flex flex-wrap items-baseline gap-x-3 text-lg">
            <Score {...summary} />
            {summary.isBeingChecked && <BeingChecked />}
          </p>
          <Trend summary={summary} />
        </div>
        <Histogram summary={summary} addressOf={(stars) => addressOf({ stars: String(stars) })} />
      </div>
      {voices.length > 0 && (
        <div
          className={`grid gap-x-8 gap-y-4 [--voice-size:var(--text-lg)] ${voices.length > 1 ? 'sm:grid-cols-2' : ''}`}
        >
          {voices.map((voice) => (
            <Voice key={voice.reviewId} voice={voice} about={voice.entryName} />
          ))}
        </div>
      )}
      <p className="no-print flex flex-wrap justify-between gap-x-6">
        <StandaloneLink to={addressOf()}>
          {summary.totalReviews === 1 ? 'All reviews' : `All ${numberText(summary.totalReviews)} reviews`}
        </StandaloneLink>
        <a
          href={`#${FORM_ID}`}
          className="text-link needs-script inline-flex min-h-touch items-center lg:hidden"
          // The shell has followed the link, unless a key was held that opens a tab or a window.
          onClick={({ defaultPrevented }) => defaultPrevented && focusFirstField(form)}
        >
          Write yours
        </a>
      </p>
    </div>
  );
}

function EmptyCategory({ category, canWrite }: { category: Category; canWrite: boolean }) {
  const text = `Nothing in ${category.label} has been added for this school yet.`;
  if (!canWrite) return <Empty>{text}</Empty>;
  return (
    <div className="grid justify-items-center gap-3 rounded-lg bg-night px-4 py-6 text-center text-on-night">
      <LargeWindow light="dark" />
      <p>{text}</p>
    </div>
  );
}
