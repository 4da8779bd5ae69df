import { PAGES } from '../../contract/pages.ts';
import { usePageHandle } from '../page.ts';
import { siteName } from '../site.ts';
import { PageLink } from './page-link.tsx';
import { SiteMenu } from './site-menu.tsx';

/** The head of every page but the passcode pages; darker on the dashboard (spec §2). */
export function Header() {
  const isDark = usePageHandle()?.page.path === PAGES.dashboard.path;
  return (
    <header
      className={`no-print sticky top-0 z-30 border-b ${isDark ? 'border-night bg-night text-on-night' : 'border-line bg-surface'}`}
    >
      <div className="page flex items-center justify-between gap-4">
        <PageLink
          to={PAGES.dashboard.path}
          className="inline-flex min-h-14 items-center gap-3 font-serif text-lg font-semibold"
        >
          <img src="/favicon.svg" alt="" width="28" height="28" />
          {siteName()}
        </PageLink>
        <SiteMenu />
      </div>
    </header>
  );
}
