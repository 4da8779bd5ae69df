import { Menu, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { logout } from '../../contract/accounts.ts';
import { PAGES } from '../../contract/pages.ts';
import { request } from '../api.ts';
import { endSession, useSession } from '../session.ts';
import { PageLink } from './page-link.tsx';

const PANEL_ID = 'site-menu';
const ITEM = 'flex min-h-12 w-full items-center rounded-sm px-4 text-left font-semibold hover:bg-sunken';

/** Pages without "Go Back" (spec §2, "Shared chrome"). */
const STARTING_PAGES: readonly string[] = [PAGES.dashboard, PAGES.login, PAGES.signup, PAGES.forgot].map(
  ({ path }) => path,
);

/** The burger button with its side menu: a disclosure, so that the page behind stays within reach. */
export function SiteMenu() {
  const { key } = useLocation();
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const root = useRef<HTMLDivElement>(null);
  // Every navigation closes it: it is open only at the address at which it was opened.
  const isOpen = openedAt === key;

  useEffect(() => {
    if (!isOpen) return;
    const close = () => setOpenedAt(null);
    const closeOutside = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) close();
    };
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      close();
      button.current?.focus();
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    document.addEventListener('keydown', closeOnEscape);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
      document.removeEventListener('keydown', closeOnEscape);
    };
  }, [isOpen]);

  const Icon = isOpen ? X : Menu;
  return (
    <div ref={root}>
      <button
        ref={button}
        type="button"
        aria-label="Menu"
        aria-expanded={isOpen}
        aria-controls={PANEL_ID}
        className="-mr-2 grid size-11 place-items-center rounded-sm"
        onClick={() => setOpenedAt(isOpen ? null : key)}
      >
        <Icon aria-hidden="true" className="size-6" />
      </button>
      <nav
        id={PANEL_ID}
        aria-label="Main"
        hidden={!isOpen}
        className="scheme-light-dark fixed top-14 right-0 bottom-0 w-72 max-w-full animate-slide-in overflow-y-auto border-l border-line bg-surface p-3 text-ink shadow-lg"
      >
        <MenuItems onChoose={() => setOpenedAt(null)} />
      </nav>
    </div>
  );
}

function MenuItems({ onChoose }: { onChoose: () => void }) {
  const { pathname, key } = useLocation();
  const navigate = useNavigate();
  const session = useSession();
  const isDashboard = pathname === PAGES.dashboard.path;

  function goBack() {
    onChoose();
    // 'default' is the key of the first page opened in this tab: going back from it would leave the site.
    if (key === 'default') navigate(PAGES.dashboard.path);
    else navigate(-1);
  }

  function logOut() {
    onChoose();
    // The token is forgotten whatever the answer (contract §2).
    request(logout, {}, { keepalive: true }).catch((cause: unknown) => console.info('Logout went unheard.', cause));
    endSession('logout');
    navigate(PAGES.dashboard.path);
  }

  const linkTo = (page: { path: string }, label: string) => (
    <li>
      <PageLink to={page.path} className={ITEM} onClick={onChoose}>
        {label}
      </PageLink>
    </li>
  );
  const act = (label: string, action: () => void) => (
    <li>
      <button type="button" className={ITEM} onClick={action}>
        {label}
      </button>
    </li>
  );
  return (
    <ul>
      {!STARTING_PAGES.includes(pathname) && act('Go Back', goBack)}
      {!isDashboard && linkTo(PAGES.dashboard, 'Menu')}
      {session && linkTo(PAGES.profile, 'Profile')}
      {!session && linkTo(PAGES.login, 'Login')}
      {!session && linkTo(PAGES.signup, 'Register')}
      {session?.isAdmin && isDashboard && linkTo(PAGES.adminUsers, 'Admin')}
      {pathname !== PAGES.leaderboard.path && linkTo(PAGES.leaderboard, 'Leader Boards')}
      {session && act('Logout', logOut)}
    </ul>
  );
}
