import type { ProposalMode } from './proposals.ts';

/** A read of a page with its response, for rendering the page on the server and hydrating it in the browser. */
export interface RenderedRead {
  /** The key in the browser's cache: the call's name and its parts. */
  readonly key: readonly [name: string, parts: object];
  /** True for a paged list, of which `answer` is the first page. */
  readonly isPaged: boolean;
  readonly answer: unknown;
  /** The cursor of the next page of a paged list; undefined when there is none. */
  readonly next: object | undefined;
}

interface RenderRequest {
  /** The address of a page: `/school/7`. */
  readonly address: string;
  readonly siteName: string;
  readonly supportEmail: string;
  readonly proposals: ProposalMode;
  readonly reads: readonly RenderedRead[];
}

/** The client built for the server. It renders a page to HTML as a visitor sees it. */
export interface RendererModule {
  readonly createRenderer: () => (request: RenderRequest) => Promise<string>;
}
