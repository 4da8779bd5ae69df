import { useQuery } from '@tanstack/react-query';
import type { Category } from '../../../contract/categories.ts';
import { entryCalls } from '../../../contract/entries.ts';
import { getEntryVoices } from '../../../contract/voices.ts';
import { callQuery } from '../../api.ts';
import { usePageId } from '../../page.ts';
import { useEntry } from '../../shared/reviews/reading.ts';
import { EntryRows } from './entry-rows.tsx';

/** How many other entries are shown. */
const SIBLINGS_MAX = 3;

/** Other entries of the same category at the same school, the most reviewed first. */
export function Siblings({ category }: { category: Category }) {
  const id = usePageId();
  const { details } = useEntry(category);
  const schoolId = details?.schoolId ?? 0;
  const isKnown = details !== undefined;
  // Other entries are read after the details of this one, which name the school.
  const entries = useQuery({ ...callQuery(entryCalls(category).list, { params: { id: schoolId } }), enabled: isKnown });
  const voices = useQuery({
    ...callQuery(getEntryVoices, { params: { schoolId }, query: { category: category.kind } }),
    enabled: isKnown,
  });
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
