import { Fragment, useState } from 'react';
import { Outlet, useLocation, useNavigation } from 'react-router';
import { isFirstPage, MAIN_ID, useFocusOnNavigation, useLinksWithinPage, useScrollMemory } from '../../navigation.ts';
import { useCurrentPage, usePageTitle } from '../../page.ts';
import { NoticeRegion } from '../feedback/notice-region.tsx';
import { ComparisonBar } from '../school/compare-button.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';

/**
 * The parts common to all pages: header, notices and footer. It also manages focus and scroll position when the page
 * changes.
 */
export function Shell() {
  const location = useLocation();
  const { pathname } = location;
  const { state } = useNavigation();
  const page = useCurrentPage();
  const hasFrame = !page?.hidesHeader;
  useLinksWithinPage();
  useFocusOnNavigation();
  useScrollMemory();
  return (
    <div className="flex min-h-dvh flex-col">
      <a href={`#${MAIN_ID}`} className="button button-primary absolute top-2 left-2 z-50 not-focus:sr-only">
        Skip to content
      </a>
      {state === 'loading' && <div className="route-progress" aria-hidden="true" />}
      {hasFrame && <Header />}
      <NoticeRegion isBelowHeader={hasFrame} />
      {/* At least as high as the screen: a page that grows while its data is loading must not move the footer through
          it. At its end, the roofs of the footer stand in front of it. */}
      <main
        // Where the header appears or disappears, <main> is a new element, as the footer is on each page: an element
        // that stays but moves counts as a layout shift.
        key={String(hasFrame)}
        id={MAIN_ID}
        tabIndex={-1}
        className={`flex min-h-dvh grow flex-col has-[.night]:min-h-0 ${hasFrame ? 'not-has-[.night]:pb-7' : ''}`}
      >
        <Fragment key={pathname}>
          {/* Rendered before the page, because the page's own title must be set last. */}
          <RouteTitle title={page?.title} />
          <ArrivingPage isFirst={isFirstPage(location)} />
        </Fragment>
      </main>
      {hasFrame && <Footer key={`footer ${pathname}`} />}
      {hasFrame && <ComparisonBar />}
    </div>
  );
}

/**
 * The page at the current address. It fades in, except for the first page of the document. A view transition would not
 * do: until it ends, clicks on the new page are lost.
 */
function ArrivingPage({ isFirst }: { isFirst: boolean }) {
  // Kept as state, because the page must not fade in again when only the query changes.
  const [fadesIn] = useState(!isFirst);
  return (
    <div className={`flex grow flex-col ${fadesIn ? 'animate-appear' : ''}`}>
      <Outlet />
    </div>
  );
}

function RouteTitle({ title }: { title: string | undefined }) {
  usePageTitle(title);
  return null;
}
