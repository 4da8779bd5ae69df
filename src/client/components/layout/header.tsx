import { lazy, Suspense, useSyncExternalStore } from 'react';
import { PAGES } from '../../../contract/pages.ts';
import { useCurrentPage } from '../../page.ts';
import { siteName } from '../../site.ts';
import { DRAWINGS, Drawing } from './drawing.tsx';
import { PageLink } from './page-link.tsx';
import { SiteMenu } from './site-menu.tsx';

/** Loaded separately: the search must not add to the script that every page loads first. Without a network, a link. */
const SchoolSearch = lazy(() =>
  import('../school/school-search.tsx').then(
    (module) => ({ default: module.SchoolSearch }),
    () => ({ default: SearchLink }),
  ),
);

/** The head of every page but the passcode pages; darker on the dashboard (spec §2). */
export function Header() {
  const path = useCurrentPage()?.path;
  const isDashboard = path === PAGES.dashboard.path;
  // These two pages have a search of their own: people would have to choose between two fields.
  const hasOwnSearch = isDashboard || path === PAGES.allSchools.path;
  return (
    <header
      className={`no-print sticky top-0 z-30 border-b ${isDashboard ? 'border-night bg-night text-on-night' : 'border-line bg-surface'}`}
    >
      <div className="page flex items-center gap-2">
        <PageLink
          to={PAGES.dashboard.path}
          className="mr-auto inline-flex min-h-14 min-w-0 items-center gap-3 font-serif text-lg leading-tight font-semibold"
        >
          <img src="/favicon.svg" alt="" width="28" height="28" />
          <span className="min-w-0 wrap-anywhere">{siteName()}</span>
        </PageLink>
        {!hasOwnSearch && <HeaderSearch />}
        <SiteMenu />
      </div>
    </header>
  );
}

const HAS_ROOM = '(width >= 48rem)';

/** Whether the header has room for the search field: false on the server, and until the page is hydrated. */
function useHasRoom(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const room = matchMedia(HAS_ROOM);
      room.addEventListener('change', onChange);
      return () => room.removeEventListener('change', onChange);
    },
    () => matchMedia(HAS_ROOM).matches,
    () => false,
  );
}

/** The search field of every page. Where there is no room for it, a link to the dashboard's search. */
function HeaderSearch() {
  const hasRoom = useHasRoom();
  return (
    <>
      <div className="needs-script hidden w-full max-w-xl shrink md:block">
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

/** Reserves the space of the search field while its code is loading. */
function SearchPlaceholder() {
  return <div aria-hidden="true" className="input opacity-60" />;
}
