import { lazy, Suspense, useSyncExternalStore } from 'react';
import { PAGES } from '../../../contract/pages.ts';
import { useCurrentPage } from '../../page.ts';
import { siteName } from '../../site.ts';
import { DRAWINGS, Drawing } from './drawing.tsx';
import { PageLink } from './page-link.tsx';
import { SiteMenu } from './site-menu.tsx';

/**
 * The search is loaded separately: it must not add to the script that every page loads first. If it cannot be loaded, a
 * link takes its place.
 */
const SchoolSearch = lazy(() =>
  import('../school/school-search.tsx').then(
    (module) => ({ default: module.SchoolSearch }),
    () => ({ default: SearchLink }),
  ),
);

/** The head of every page but the passcode pages: the night sky, and darker on the dashboard (spec §2). */
export function Header() {
  const path = useCurrentPage()?.path;
  const isDashboard = path === PAGES.dashboard.path;
  // These two pages have a search of their own: with one in the header, people would have to choose between two.
  const hasOwnSearch = isDashboard || path === PAGES.allSchools.path;
  return (
    <header
      className={`no-print sticky top-0 z-30 border-b border-night bg-night text-on-night ${isDashboard ? '[--color-night:var(--color-night-deep)]' : ''}`}
    >
      <div className="page flex items-center gap-2 max-[16rem]:gap-0">
        <PageLink
          to={PAGES.dashboard.path}
          className="mr-auto inline-flex min-h-14 min-w-0 items-center gap-3 font-serif text-lg leading-tight max-[16rem]:text-xs font-semibold md:max-w-1/2 md:shrink-0"
        >
          {/* Beside large text on a phone, the picture would leave the name no room for a word. */}
          <img src="/favicon.svg" alt="" width="28" height="28" className="max-[16rem]:hidden" />
          <span className="min-w-0 wrap-anywhere md:truncate">{siteName()}</span>
        </PageLink>
        {!hasOwnSearch && <HeaderSearch />}
        <SiteMenu />
      </div>
    </header>
  );
}

const SEARCH_FITS = '(width >= 48rem)';

/** Whether the header has room for the search field: false on the server, and until the page is hydrated. */
function useSearchFits(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const room = matchMedia(SEARCH_FITS);
      room.addEventListener('change', onChange);
      return () => room.removeEventListener('change', onChange);
    },
    () => matchMedia(SEARCH_FITS).matches,
    () => false,
  );
}

/** The search field of every page. Where there is no room for it, a link to the dashboard's search. */
function HeaderSearch() {
  const hasRoom = useSearchFits();
  return (
    <>
      {/* The field is as light as the page below, so that it stands out. */}
      <div className="needs-script scheme-light-dark hidden w-full max-w-xl min-w-0 shrink text-ink md:block">
        <Suspense fallback={<SearchPlaceholder />}>{hasRoom ? <SchoolSearch /> : <SearchPlaceholder />}</Suspense>
      </div>
      <div className="needs-script shrink-0 md:hidden">
        <SearchLink />
      </div>
    </>
  );
}

function SearchLink() {
  return (
    <PageLink
      to={PAGES.dashboard.path}
      aria-label="Search for a school"
      className="ml-auto grid size-11 place-items-center rounded-sm"
    >
      <Drawing d={DRAWINGS.search} />
    </PageLink>
  );
}

/** Looks like the search field while its code is loading. */
function SearchPlaceholder() {
  return (
    <div aria-hidden="true" className="input relative pl-11 text-ink-soft">
      <Drawing d={DRAWINGS.search} className="absolute top-1/2 left-3.5 size-5 -translate-y-1/2" />
      Search for a school
    </div>
  );
}
