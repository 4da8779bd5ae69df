import { useQueries } from '@tanstack/react-query';
import { CATEGORIES } from '../../../contract/categories.ts';
import type { SchoolSummary } from '../../../contract/comparison.ts';
import { getSchoolVoices } from '../../../contract/voices.ts';
import { callQuery } from '../../api.ts';
import { DisclosureCard } from '../../components/feedback/disclosure-card.tsx';
import { CategoryIcon } from '../../components/school/category-icon.tsx';
import { Voice } from '../../components/school/voice.tsx';

/** What people say of the compared schools, category by category; nothing where nobody does. */
export function ComparedVoices({ schools }: { schools: readonly SchoolSummary[] }) {
  // The page declares a read of each school.
  const reads = useQueries({
    queries: schools.map(({ id }) => callQuery(getSchoolVoices, { params: { schoolId: id } })),
  });
  const voices = reads.flatMap(({ data = [] }) => data);
  if (voices.length === 0) return null;
  const byCategory = Map.groupBy(voices, ({ category }) => category);
  return (
    <DisclosureCard summary="What people say" className="mt-8">
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
