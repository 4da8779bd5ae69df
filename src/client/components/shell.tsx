import { useState } from 'react';
import { Outlet, useLocation, useNavigation } from 'react-router';
import { MAIN_ID, useFocusOnNavigation, useScrollMemory } from '../navigation.ts';
import { usePageHandle, usePageTitle } from '../page.ts';
import { CompareTray } from './compare-tray.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { Loading } from './list-states.tsx';
import { NoticeRegion } from './notice-region.tsx';

/** The parts common to all pages: header, notices, footer, and focus and scrolling at a navigation. */
export function Shell() {
  const { pathname, key } = useLocation();
  const [openedAt] = useState(key);
  const { state } = useNavigation();
  const handle = usePageHandle();
  useScrollMemory();
  useFocusOnNavigation();
  return (
    <div className="flex min-h-dvh flex-col">
      <a href={`#${MAIN_ID}`} className="button button-primary absolute top-2 left-2 z-50 not-focus:sr-only">
        Skip to content
      </a>
      {state === 'loading' && <div className="route-progress" aria-hidden="true" />}
      {!handle?.page.hidesHeader && <Header />}
      <NoticeRegion isBelowHeader={!handle?.page.hidesHeader} />
      {/* As high as the screen, so that a page that grows as its data arrives never pushes the footer through it. */}
      <main id={MAIN_ID} tabIndex={-1} className="flex min-h-dvh grow flex-col">
        {/* Before the page, whose own title is set after this one. */}
        <RouteTitle title={handle?.page.title} />
        <ArrivingPage key={pathname} isFirst={key === openedAt} />
      </main>
      {!handle?.page.hidesHeader && <Footer />}
      {!handle?.page.hidesHeader && <CompareTray />}
    </div>
  );
}

/**
 * The page at this address. It fades in, unless the document opened with it. Not a view transition: that takes what it
 * shows out of hit testing until it ends, so that clicks on the new page are lost.
 */
function ArrivingPage({ isFirst }: { isFirst: boolean }) {
  // A change of the query alone keeps the page as it is.
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

/** Shown in place of the first page while its code is loading. */
export function PagePlaceholder() {
  return <Loading />;
}
