import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, type RouteObject, StaticRouterProvider } from 'react-router';
import type { FrameModule, FrameRequest } from '../contract/frame.ts';
import { PAGES } from '../contract/pages.ts';
import { Shell } from './components/shell.tsx';
import { LOADED_PAGES } from './page-modules.ts';
import { provideSite } from './site.ts';

/** The pages that everyone may open, without what they do: here they are only drawn. */
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

/** The first address sends on to the landing page. */
const drawnAt = (address: string) => (address === PAGES.root.path ? PAGES.landing.path : address);

function seed(reads: FrameRequest['reads']): QueryClient {
  const client = new QueryClient();
  for (const { key, isPaged, answer, next } of reads) {
    client.setQueryData(key, isPaged ? { pages: [{ rows: answer, next }], pageParams: [{}] } : answer);
  }
  return client;
}

/** Makes the function that draws pages on the server; it runs there, out of `dist/frame`. */
export const createFrameRenderer: FrameModule['createFrameRenderer'] = () => {
  const handler = createStaticHandler(routes);
  return async ({ address, siteName, supportEmail, reads }) => {
    const context = await handler.query(new Request(new URL(drawnAt(address), 'http://localhost')));
    if (context instanceof Response) throw new Error(`${address} cannot be drawn: it answers ${context.status}.`);
    // From here on nothing waits, so that no other page is drawn with this one's names.
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
        // The content policy forbids styles in markup, and start.ts may set them. They are colours: nothing moves.
        .replaceAll(' style="', ' data-style="')
        // Seen where they will be, and out of reach until they answer.
        .replaceAll(/<(?:button|input|select|textarea)(?=[ >])/g, '$& inert')
    );
  };
};
