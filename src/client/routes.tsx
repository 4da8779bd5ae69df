import { type LoaderFunctionArgs, type RouteObject, replace } from 'react-router';
import { type Guard, PAGES, type Page } from '../contract/pages.ts';
import { RouteError } from './components/feedback/route-error.tsx';
import { Shell } from './components/layout/shell.tsx';
import { Loading } from './components/list/list-states.tsx';
import { firstPage } from './first-page.tsx';
import { parseId } from './page.ts';
import { LOADED_PAGES, type LoadedPage } from './page-modules.ts';
import { startReads } from './page-reads.ts';
import { readSession } from './session.ts';

/** Redirects users who may not open a page (spec §2). A user with an unreadable token counts as a visitor. */
function admit(guard: Guard | undefined): void {
  const session = readSession();
  const isAdmitted = guard === 'admin' ? session?.isAdmin : !guard || session;
  if (!isAdmitted) throw replace(PAGES.dashboard.path);
}

function pageRoute({ page, load }: LoadedPage): RouteObject {
  const hasId = page.path.includes(':id');
  return {
    path: page.path,
    caseSensitive: true,
    handle: page,
    errorElement: <RouteError />,
    HydrateFallback: Loading,
    loader: async ({ params, request }: LoaderFunctionArgs) => {
      admit(page.guard);
      const id = hasId ? parseId(params.id) : 0;
      // In parallel with loading the page's code; those of the first page when it is hydrated.
      void firstPage.then(() => startReads(page, id, new URL(request.url).searchParams));
      const { loader } = await load();
      loader?.();
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
      ...LOADED_PAGES.map(pageRoute),
      {
        path: '*',
        handle: { path: '*', title: 'Page not found' } satisfies Page,
        HydrateFallback: Loading,
        lazy: async () => ({
          Component: (await import('./components/feedback/not-found-message.tsx')).NotFoundMessage,
        }),
      },
    ],
  },
];
