import { useEffect, useRef, useState } from 'react';
import { CATEGORIES, type Category } from '../../../contract/categories.ts';
import { getSchoolSummary } from '../../../contract/comparison.ts';
import { useRead } from '../../page.ts';
import { LIGHTS, type Light, lightOf, Pane } from './windows.tsx';

/** A single large window. @param isNew animates the light when it is switched on */
export function LargeWindow({ light, isNew = false }: { light: Light; isNew?: boolean }) {
  return (
    <svg aria-hidden="true" viewBox="2 2 20 21" className="h-14 min-w-0 text-accent sm:h-20" strokeWidth="1.75">
      <Pane d={LIGHTS[light]} className={isNew ? 'animate-light' : undefined} />
    </svg>
  );
}

/** The light that a posted review has lit. */
interface PostedLight {
  readonly entryId: number;
  /** Whether the review is the first of its category at the school. */
  readonly isFirst: boolean;
}

let nextLight: PostedLight | undefined;

/** Remembers the light of a posted review for the page of its new entry, which is opened next. */
export function lightNextPage({ entryId, isFirst }: Partial<PostedLight>): void {
  if (entryId !== undefined && isFirst !== undefined) nextLight = { entryId, isFirst };
}

/** The light of the review that was posted just before the page of its entry was opened, if there is one. */
export function usePostedLight(entryId: number): PostedLight | undefined {
  const [light] = useState(nextLight);
  useEffect(() => {
    nextLight = undefined;
  }, []);
  return light?.entryId === entryId ? light : undefined;
}

interface NewLightProps {
  category: Category;
  schoolId: number;
  schoolName: string;
  /** Whether the review that was just posted is the first of its category at the school. */
  isFirst?: boolean | undefined;
}

/** Shows a window that a posted review lights up. If the review is the first of its category, all windows are shown. */
export function NewLight({ isFirst = false, ...place }: NewLightProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <div
      ref={panel}
      className="my-4 grid grid-cols-[minmax(0,1fr)] justify-items-center gap-4 rounded-lg bg-night px-4 py-6 text-on-night"
    >
      {isFirst ? <FirstLight {...place} /> : <LargeWindow light="lit" isNew />}
      <p className="text-center font-serif text-lg wrap-anywhere">
        {isFirst ? (
          <>
            <span>{`${place.category.label} at `}</span>
            <bdi>{place.schoolName}</bdi>
            <span>: the first light is yours.</span>
          </>
        ) : (
          'Your light is on.'
        )}
      </p>
    </div>
  );
}

function FirstLight({ category, schoolId }: NewLightProps) {
  // Read again: in a summary from before the post, the window is still dark.
  const { data: summary } = useRead(getSchoolSummary, { params: { schoolId } }, { refetchOnMount: 'always' });
  return (
    <div className="flex max-w-full gap-2 sm:gap-3">
      {CATEGORIES.map(({ kind }, index) => {
        const figures = summary?.categories[index];
        return <LargeWindow key={kind} light={figures ? lightOf(figures) : 'dark'} isNew={kind === category.kind} />;
      })}
    </div>
  );
}
