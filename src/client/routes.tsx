import { type LoaderFunctionArgs, type RouteObject, replace } from 'react-router';
import { accountAddress, PAGES, type Page } from '../contract/pages.ts';
import { NotFoundMessage, RouteError } from './components/feedback/page-problem.tsx';
import { Shell } from './components/layout/shell.tsx';
import { Loading } from './components/list/list-states.tsx';
import { firstPage } from './first-page.tsx';
import { setRefusedPage } from './navigation.ts';
import { parseId, startReads } from './page.ts';
import { LOADABLE_PAGES, type LoadablePage } from './page-modules.ts';
import { readSession } from './session.ts';
import { waitForOtherTabs } from './session-tabs.ts';

/**
 * Redirects users who may not open a page (spec §2). A user with an unreadable token counts as a visitor.
 * @param address the path and query of the page
 */
async function redirectUnlessAllowed(page: Page, address: string): Promise<void> {
  if (!page.guard) return;
  if (!readSession()) await waitForOtherTabs();
  const session = readSession();
  if (session && (page.guard !== 'admin' || session.isAdmin)) return;
  if (!session && page.redirectsToLogin) throw replace(accountAddress(PAGES.login, { next: address }));
  setRefusedPage({ address, guard: page.guard });
  throw replace(PAGES.dashboard.path);
}

function pageRoute({ page, load }: LoadablePage): RouteObject {
  return {
    path: page.path,
    caseSensitive: true,
    handle: page,
    errorElement: <RouteError />,
    HydrateFallback: Loading,
    loader: async ({ params, request }: LoaderFunctionArgs) => {
      const { pathname, search, searchParams } = new URL(request.url);
      if (page !== PAGES.dashboard) setRefusedPage(null);
      // A request has no fragment. The address of the document has it, if this is its first page.
      await redirectUnlessAllowed(page, pathname + search + (location.pathname === pathname ? location.hash : ''));
      const id = parseId(params.id);
      // Reads start in parallel with loading the page's code; those of the first page start when it is hydrated.
      void firstPage.then(() => startReads(page, id, searchParams));
      return null;
    },
    lazy: async () => ({ Component: (await load()).Component }),
  };
}

export const routes: RouteObject[] = [
  {
    Component: Shell,
    errorElement: <RouteError />,
    HydrateFallback: Loading,
    children: [
      { path: PAGES.root.path, loader: () => replace(PAGES.landing.path), HydrateFallback: Loading },
      ...LOADABLE_PAGES.map(pageRoute),
      {
        path: '*',
        handle: { path: '*', title: 'Page not found' } satisfies Page,
        Component: NotFoundMessage,
      },
    ],
  },
];
