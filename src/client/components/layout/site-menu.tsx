import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { getOpenCounts } from '../../../contract/moderation.ts';
import { PAGES } from '../../../contract/pages.ts';
import { comparisonAddress, useComparedSchools } from '../../compared-schools.ts';
import { useNextAddress, withNextAddress } from '../../next-address.ts';
import { useRead } from '../../page.ts';
import { useSession } from '../../session.ts';
import { logOut } from '../../shared/accounts/log-out.ts';
import { useWaitingDraft } from '../../tab-memory.ts';
import { DRAWINGS, Drawing } from './drawing.tsx';
import { PageLink } from './page-link.tsx';

const PANEL_ID = 'site-menu';
const ITEM_CLASS = 'flex min-h-12 w-full items-center gap-4 rounded-sm px-3 text-left font-semibold hover:bg-sunken';

const ITEM_DRAWINGS = {
  open: 'M4 6.5h16M4 12h16M4 17.5h16',
  close: DRAWINGS.cross,
  back: 'M19.5 12h-15M10.5 6l-6 6 6 6',
  dashboard: DRAWINGS.search,
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4.5 20.5c0-3.5 3.3-5.5 7.5-5.5s7.5 2 7.5 5.5',
  enter: 'M10 4.5h9.5v15H10M4.5 12h10M11 8.5l3.5 3.5-3.5 3.5',
  leave: 'M14 4.5H4.5v15H14M9.5 12h10M16 8.5l3.5 3.5-3.5 3.5',
  write: 'M4.5 19.5l1-4.5L16 4.5l3.5 3.5L9 18.5ZM13.5 7l3.5 3.5',
  keys: 'M8 10a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM11.3 11.2l8.2-8.2M16 6.5l3 3',
  ranks: 'M4 20.5v-7h5v7M9.5 20.5v-16h5v16M15 20.5v-10h5v10M3 20.5h18',
  compare: DRAWINGS.compare,
  schools: 'M4 20.5v-10l8-6 8 6v10ZM9.5 20.5v-5a2.5 2.5 0 0 1 5 0v5',
};

type ItemDrawing = keyof typeof ITEM_DRAWINGS;

/** Pages whose menu has no "Go Back" (spec §2, "Shared chrome"). */
const STARTING_PAGES: readonly string[] = [PAGES.dashboard, PAGES.login, PAGES.signup, PAGES.forgot].map(
  ({ path }) => path,
);

/** The burger button with its side menu. It is a disclosure and not a dialog, so that the page behind stays usable. */
export function SiteMenu() {
  const { key } = useLocation();
  const [openedKey, setOpenedKey] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const root = useRef<HTMLDivElement>(null);
  // The menu is open only at the address at which it was opened, so every navigation closes it.
  const isOpen = openedKey === key;

  useEffect(() => {
    if (!isOpen) return;
    const close = () => setOpenedKey(null);
    const closeOutside = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) close();
    };
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      close();
      button.current?.focus();
    };
    const listening = new AbortController();
    const { signal } = listening;
    for (const type of ['pointerdown', 'focusin']) document.addEventListener(type, closeOutside, { signal });
    document.addEventListener('keydown', closeOnEscape, { signal });
    return () => listening.abort();
  }, [isOpen]);

  /** Closes the menu after a choice. The focus would fall to the body with the panel that contains it. */
  function closeToButton(): void {
    setOpenedKey(null);
    // A navigation then moves the focus to the heading of the new page.
    button.current?.focus();
  }

  return (
    <div ref={root}>
      <button
        ref={button}
        type="button"
        aria-label="Menu"
        aria-expanded={isOpen}
        aria-controls={PANEL_ID}
        className="-mr-2 grid size-11 shrink-0 place-items-center rounded-sm"
        onClick={() => setOpenedKey(isOpen ? null : key)}
      >
        <Drawing d={isOpen ? ITEM_DRAWINGS.close : ITEM_DRAWINGS.open} />
      </button>
      <div
        id={PANEL_ID}
        hidden={!isOpen}
        className="scheme-light-dark fixed top-14 right-0 bottom-0 w-72 max-w-full animate-slide-in overflow-y-auto border-l border-line bg-surface p-3 text-ink shadow-lg"
      >
        <MenuItems onChoose={closeToButton} />
      </div>
    </div>
  );
}

/** The number of reports and proposals that wait for a decision. */
function OpenCount() {
  const { data } = useRead(getOpenCounts);
  const count = data ? data.reports + data.proposals : 0;
  if (count === 0) return null;
  return <span className="absolute top-3 right-3 text-sm text-ink-soft">{`${count} open`}</span>;
}

function MenuItems({ onChoose }: { onChoose: () => void }) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const session = useSession();
  const compared = useComparedSchools();
  const waitingAt = useWaitingDraft()?.split(' ')[0];
  // A login brings the owner of a draft back to it.
  const next = useNextAddress() ?? (waitingAt === pathname ? pathname + search : waitingAt);
  const isDashboard = pathname === PAGES.dashboard.path;

  function goBack() {
    onChoose();
    // The router numbers its entries of the history from 0, and a replaced one keeps its number. Going back from the
    // first would leave the site.
    if (!history.state?.idx) navigate(PAGES.dashboard.path);
    else navigate(-1);
  }

  function leave() {
    onChoose();
    logOut();
    navigate(PAGES.dashboard.path);
  }

  const iconOf = (drawing: ItemDrawing) => <Drawing d={ITEM_DRAWINGS[drawing]} className="size-5 text-ink-soft" />;
  const linkTo = (page: { path: string }, label: string, drawing: ItemDrawing, beside?: ReactNode) => (
    <li className="relative">
      <PageLink to={withNextAddress(page.path, next)} className={ITEM_CLASS} onClick={onChoose}>
        {iconOf(drawing)}
        {label}
      </PageLink>
      {beside}
    </li>
  );
  const buttonFor = (label: string, drawing: ItemDrawing, action: () => void) => (
    <li>
      <button type="button" className={ITEM_CLASS} onClick={action}>
        {iconOf(drawing)}
        {label}
      </button>
    </li>
  );
  return (
    <>
      {session && (
        <p className="mb-2 border-b border-line px-3 pb-3 text-sm wrap-anywhere text-ink-soft">
          Signed in as <b className="font-semibold text-ink">{session.username}</b>
        </p>
      )}
      <nav aria-label="Main">
        <ul>
          {!STARTING_PAGES.includes(pathname) && buttonFor('Go Back', 'back', goBack)}
          {!isDashboard && linkTo(PAGES.dashboard, 'Menu', 'dashboard')}
          {session && linkTo(PAGES.profile, 'Profile', 'person')}
          {!session && linkTo(PAGES.login, 'Login', 'enter')}
          {!session && linkTo(PAGES.signup, 'Register', 'write')}
          {session?.isAdmin && isDashboard && linkTo(PAGES.adminUsers, 'Admin', 'keys', <OpenCount />)}
          {pathname !== PAGES.leaderboard.path && linkTo(PAGES.leaderboard, 'Leader Boards', 'ranks')}
          {session && buttonFor('Logout', 'leave', leave)}
        </ul>
        <ul aria-label="More" className="mt-2 border-t border-line pt-2">
          {linkTo(PAGES.allSchools, 'All schools', 'schools')}
          {session && linkTo(PAGES.myReviews, PAGES.myReviews.title, 'write')}
          {linkTo({ path: comparisonAddress(compared) }, 'Compare', 'compare')}
        </ul>
      </nav>
    </>
  );
}
