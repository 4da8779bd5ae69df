import { PAGES } from '../../../contract/pages.ts';
import { getSchoolTotals } from '../../../contract/search.ts';
import { countText, numberText } from '../../format.ts';
import { useRead } from '../../page.ts';
import { siteName } from '../../site.ts';
import { Roofs } from './dusk.tsx';
import { StandaloneLink } from './page-link.tsx';

const LINKS = [
  { page: PAGES.tos, label: 'Terms of Service' },
  { page: PAGES.allSchools, label: 'All Schools' },
  { page: PAGES.about, label: 'About' },
];

/** The foot of every page but the passcode pages: a town at night, with lights for the share of reviewed schools. */
export function Footer() {
  // Not declared as a read of the pages: every document would then depend on every review.
  const { schools = 0, reviewed = 0 } = useRead(getSchoolTotals, {}, { staleTime: 60_000, retry: false }).data ?? {};
  return (
    <footer className="no-print relative mt-auto bg-night [--color-night:var(--color-night-deep)] text-on-night">
      <div className="pointer-events-none absolute inset-x-0 bottom-full">
        <Roofs look="night" litShare={schools > 0 ? reviewed / schools : 0} />
      </div>
      <div className="page flex flex-wrap items-center justify-between gap-x-8 gap-y-2 py-4 text-sm">
        {/* The line has its height before the figure is loaded. On narrow screens the links are always below it. */}
        <div className="max-sm:w-full">
          <p className="font-serif font-semibold">{siteName()}</p>
          <p className="min-h-lh text-ink-soft tabular-nums">
            {/* Two elements: as one, this is the largest text of a short page, and the last to appear. */}
            {schools > 0 && (
              <span>
                <span className="inline-block">{`${numberText(reviewed)} of ${countText(schools, 'school')}`}</span>{' '}
                <span className="inline-block">{`${reviewed === 1 || schools === 1 ? 'has' : 'have'} a light on`}</span>
              </span>
            )}
          </p>
        </div>
        <ul className="flex flex-wrap gap-x-6">
          {LINKS.map(({ page, label }) => (
            <li key={page.path}>
              <StandaloneLink to={page.path}>{label}</StandaloneLink>
            </li>
          ))}
        </ul>
      </div>
    </footer>
  );
}
