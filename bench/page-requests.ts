import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright';

type RequestKind = 'document' | 'script' | 'style' | 'font' | 'data' | 'other';

/** One request of a page. */
export interface PageRequest {
  readonly name: string;
  readonly kind: RequestKind;
  /** How many requests had to be answered one after the other for this answer, its own included. */
  readonly depth: number;
  /** Bytes over the wire, the head of the answer included; 0 for what comes out of the browser's cache. */
  bytes: number;
}

export interface RequestRecord {
  /** In the order of asking. */
  readonly requests: readonly PageRequest[];
  /** Resolves when every request is answered and no other is sent for half a second. */
  idle(): Promise<void>;
}

const QUIET_MS = 500;

/** The part of DevTools' `Initiator` that says which files a request comes from. */
interface Initiator {
  type: string;
  url?: string | undefined;
  stack?: { callFrames: { url: string }[]; parent?: Initiator['stack'] } | undefined;
}

function kindOf(url: URL, type: string | undefined): RequestKind {
  if (type === 'Document') return 'document';
  if (url.pathname.startsWith('/auth/')) return 'data';
  if (/\.js$/.test(url.pathname)) return 'script';
  if (/\.css$/.test(url.pathname)) return 'style';
  return /\.woff2$/.test(url.pathname) ? 'font' : 'other';
}

function framesOf(stack: Initiator['stack']): string[] {
  return stack ? [...stack.callFrames.map(({ url }) => url), ...framesOf(stack.parent)] : [];
}

/** Records what a page requests from now on. */
export async function recordRequests(page: Page): Promise<RequestRecord> {
  const devTools = await page.context().newCDPSession(page);
  const requests: PageRequest[] = [];
  const pending = new Map<string, PageRequest>();
  const depths = new Map<string, number>();
  let changedAt = performance.now();

  /** A request is one deeper than the deepest of the files that caused it. */
  function depthOf({ type, url, stack }: Initiator): number {
    const known = [url ?? '', ...framesOf(stack)].flatMap((one) => depths.get(one) ?? []);
    if (known.length > 0) return 1 + Math.max(...known);
    if (requests.length === 0) return 1;
    // DevTools does not say which script a dynamic import stands in: it could be the deepest so far.
    const scripts = requests.filter(({ kind }) => kind === 'script').map(({ depth }) => depth);
    return type === 'script' ? 1 + Math.max(1, ...scripts.filter((depth) => depth <= 2)) : 2;
  }

  devTools.on('Network.requestWillBeSent', ({ requestId, request, initiator, type }) => {
    const url = new URL(request.url);
    const recorded: PageRequest = { name: url.pathname, kind: kindOf(url, type), depth: depthOf(initiator), bytes: 0 };
    if (!depths.has(request.url)) depths.set(request.url, recorded.depth);
    pending.set(requestId, recorded);
    requests.push(recorded);
    changedAt = performance.now();
  });
  devTools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const recorded = pending.get(requestId);
    if (recorded) recorded.bytes = encodedDataLength;
    pending.delete(requestId);
    changedAt = performance.now();
  });
  devTools.on('Network.loadingFailed', ({ requestId }) => pending.delete(requestId));
  await devTools.send('Network.enable');
  return {
    requests,
    async idle() {
      while (pending.size > 0 || performance.now() - changedAt < QUIET_MS) await setTimeout(QUIET_MS / 5);
    },
  };
}
