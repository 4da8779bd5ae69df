/** A read that a page begins with, and what it answered. */
export interface FrameRead {
  /** As the browser's cache names it: the call's name and its parts. */
  readonly key: readonly [name: string, parts: object];
  /** A list that pages: its answer is the first page. */
  readonly isPaged: boolean;
  readonly answer: unknown;
  /** Where such a list goes on. */
  readonly next: object | undefined;
}

export interface FrameRequest {
  /** The address of a page, `/school/7`. */
  readonly address: string;
  readonly siteName: string;
  readonly supportEmail: string;
  readonly reads: readonly FrameRead[];
}

/** What the browser's side built for the server: draws a page as a visitor first sees it, as HTML. */
export interface FrameModule {
  readonly createFrameRenderer: () => (request: FrameRequest) => Promise<string>;
}
