import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, type RouteObject, StaticRouterProvider } from 'react-router';
import { PAGES } from '../contract/pages.ts';
import type { RendererModule } from '../contract/server-rendering.ts';
import { Shell } from './components/layout/shell.tsx';
import { fillReads } from './first-page.tsx';
import { LOADABLE_PAGES } from './page-modules.ts';
import { provideSite } from './site.ts';

/** The public pages without their loaders: the server passes the data of their reads in. */
const routes: RouteObject[] = [
  {
    Component: Shell,
    children: LOADABLE_PAGES.filter(({ page }) => !page.guard).map(({ page, load }) => ({
      path: page.path,
      caseSensitive: true,
      handle: page,
      lazy: async () => ({ Component: (await load()).Component }),
    })),
  },
];

/** The root redirects to the landing page. */
const pathOf = (address: string) => (address === PAGES.root.path ? PAGES.landing.path : address);

/** Makes the function that renders pages to HTML. The server loads it from `dist/renderer`. */
export const createRenderer: RendererModule['createRenderer'] = () => {
  const handler = createStaticHandler(routes);
  return async ({ address, siteName, supportEmail, proposals, reads }) => {
    const context = await handler.query(new Request(new URL(pathOf(address), 'http://localhost')));
    if (context instanceof Response) throw new Error(`${address} cannot be rendered: it answers ${context.status}.`);
    // No `await` below this line: the site's names are module state, and another page could overwrite them.
    provideSite({ siteName, supportEmail, proposals });
    const client = new QueryClient();
    fillReads(client, reads);
    const markup = renderToString(
      <QueryClientProvider client={client}>
        <StaticRouterProvider
          router={createStaticRouter(handler.dataRoutes, context)}
          context={context}
          hydrate={false}
        />
      </QueryClientProvider>,
    );
    client.clear();
    return markup;
  };
};
