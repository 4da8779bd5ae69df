import type { Category } from '../../../contract/categories.ts';
import { type Entry, entryCalls, entryName } from '../../../contract/entries.ts';
import { categoryPages, pageAddress } from '../../../contract/pages.ts';
import { getEntryVoices, type Voice as Quoted } from '../../../contract/voices.ts';
import { PageLink } from '../../components/layout/page-link.tsx';
import { BeingChecked, Score } from '../../components/school/score.tsx';
import { Voice } from '../../components/school/voice.tsx';
import { usePageId, useRead } from '../../page.ts';
import { useEntry } from '../../shared/reviews/reading.ts';

interface EntryRowsProps {
  category: Category;
  entries: readonly Entry[];
  voices: readonly Quoted[];
}

/** Entries, each with its figure and what somebody says of it. */
export function EntryRows({ category, entries, voices }: EntryRowsProps) {
  const { reviews } = categoryPages(category);
  return (
    <ul className="rows">
      {entries.map((entry) => {
        const voice = voices.find(({ entryId }) => entryId === entry.id);
        return (
          <li key={entry.id} className="row flow-root py-2">
            <PageLink
              to={pageAddress(reviews, entry.id)}
              className="flex min-h-touch items-center gap-4 py-1 max-[16rem]:flex-wrap"
            >
              <span className="grid min-w-0 grow wrap-anywhere">
                <span dir="auto" className="font-serif leading-snug font-semibold">
                  {entryName(category, entry)}
                </span>
                <span dir="auto" className={`text-sm text-ink-soft ${voice ? 'line-clamp-1' : 'lines-3'}`}>
                  {entry.description}
                </span>
              </span>
              <span className="shrink-0 text-right">
                <Score {...entry} />
              </span>
            </PageLink>
            {entry.isBeingChecked && <BeingChecked />}
            {voice && <Voice voice={voice} className="mt-1 mb-2" />}
          </li>
        );
      })}
    </ul>
  );
}

/** How many other entries are shown. */
const SIBLINGS_MAX = 3;

/** Other entries of the same category at the same school, the most reviewed first. */
export function Siblings({ category }: { category: Category }) {
  const id = usePageId();
  const { details } = useEntry(category);
  const schoolId = details?.schoolId ?? 0;
  const isKnown = details !== undefined;
  // Other entries are read after the details of this one, which name the school.
  const entries = useRead(entryCalls(category).list, { params: { id: schoolId } }, { enabled: isKnown });
  const voices = useRead(
    getEntryVoices,
    { params: { schoolId }, query: { category: category.kind } },
    { enabled: isKnown },
  );
  const others = (entries.data ?? [])
    .filter((entry) => entry.id !== id)
    .sort((one, other) => (other.totalReviews ?? 0) - (one.totalReviews ?? 0))
    .slice(0, SIBLINGS_MAX);
  if (others.length === 0 || voices.isPending) return null;
  return (
    <section aria-labelledby="siblings" className="no-print mt-8 max-w-2xl min-w-0">
      <h2 id="siblings" className="mb-2 text-xl">
        <span>{`More ${category.label} at `}</span>
        <bdi>{details?.schoolName}</bdi>
      </h2>
      <EntryRows category={category} entries={others} voices={voices.data ?? []} />
    </section>
  );
}
