import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, type RouteObject, StaticRouterProvider } from 'react-router';
import { PAGES } from '../contract/pages.ts';
import type { RendererModule, RenderRequest } from '../contract/server-rendering.ts';
import { Shell } from './components/shell.tsx';
import { LOADED_PAGES } from './page-modules.ts';
import { provideSite } from './site.ts';

/** The public pages without their loaders: the server gives them the data of their reads. */
const routes: RouteObject[] = [
  {
    Component: Shell,
    children: LOADED_PAGES.filter(({ page }) => !page.guard).map(({ page, category, load }) => ({
      path: page.path,
      caseSensitive: true,
      handle: { page, category },
      lazy: async () => ({ Component: (await load()).Component }),
    })),
  },
];

/** The root redirects to the landing page. */
const pathOf = (address: string) => (address === PAGES.root.path ? PAGES.landing.path : address);

function seed(reads: RenderRequest['reads']): QueryClient {
  const client = new QueryClient();
  for (const { key, isPaged, answer, next } of reads) {
    client.setQueryData(key, isPaged ? { pages: [{ rows: answer, next }], pageParams: [{}] } : answer);
  }
  return client;
}

/** Makes the function that renders pages to HTML. It runs on the server, which loads it from `dist/renderer`. */
export const createRenderer: RendererModule['createRenderer'] = () => {
  const handler = createStaticHandler(routes);
  return async ({ address, siteName, supportEmail, reads }) => {
    const context = await handler.query(new Request(new URL(pathOf(address), 'http://localhost')));
    if (context instanceof Response) throw new Error(`${address} cannot be rendered: it answers ${context.status}.`);
    // No `await` from here on: the site's names are module state, and another page must not be rendered with them.
    provideSite({ siteName, supportEmail });
    const client = seed(reads);
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
    return (
      markup
        // The content policy forbids style attributes, so start.ts sets them. They are colours only: no layout shift.
        .replaceAll(' style="', ' data-style="')
        // Controls are visible in their final position, but inert until the page is hydrated.
        .replaceAll(/<(?:button|input|select|textarea)(?=[ >])/g, '$& inert')
    );
  };
};
