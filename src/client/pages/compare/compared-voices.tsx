import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { CATEGORIES } from '../../../contract/categories.ts';
import type { SchoolSummary } from '../../../contract/comparison.ts';
import { getSchoolVoices, type Voice as Quoted } from '../../../contract/voices.ts';
import { callQuery } from '../../api.ts';
import { DisclosureCard } from '../../components/feedback/disclosure-card.tsx';
import { CategoryIcon } from '../../components/school/category-icon.tsx';
import { Voice } from '../../components/school/voice.tsx';
import { backgroundText } from '../../shared/reviews/background-words.ts';

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
export function ComparedVoices({ schools }: { schools: readonly SchoolSummary[] }) {
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
