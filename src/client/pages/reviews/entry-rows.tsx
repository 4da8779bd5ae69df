import type { Category } from '../../../contract/categories.ts';
import { type Entry, entryName } from '../../../contract/entries.ts';
import { categoryPages, pageAddress } from '../../../contract/pages.ts';
import type { Voice as Quoted } from '../../../contract/voices.ts';
import { PageLink } from '../../components/layout/page-link.tsx';
import { BeingChecked, Score } from '../../components/school/score.tsx';
import { Voice } from '../../components/school/voice.tsx';

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
            <PageLink to={pageAddress(reviews, entry.id)} className="flex min-h-touch items-center gap-4 py-1">
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
