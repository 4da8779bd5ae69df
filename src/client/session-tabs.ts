import { notify } from './notices.ts';
import { decodeToken, endSession, onSessionChange, readSession, type Session, startSession } from './session.ts';
import { readText, storeText } from './tab-memory.ts';

// Tabs of one browser share a session: a new tab takes it over from the others, and a logout ends it in all of them.

/** The messages between tabs, over a channel of this origin alone. */
type Message =
  | { readonly kind: 'who is signed in?' }
  /** @property usedAt when a person last used the tab, in milliseconds since 1970 */
  | { readonly kind: 'signed in'; readonly token: string; readonly usedAt: number }
  | { readonly kind: 'logged out' | 'refused'; readonly sessionId: string };

/** Shown when the session of this tab was ended by a logout in another one. */
const LOGGED_OUT_ELSEWHERE = 'You logged out in another tab.';

/** How long to wait for the answers of other tabs: after the first one, and in all. */
const FURTHER_ANSWERS_MS = 150;
const ANSWERS_MAX_MS = 300;

/** The key in the tab's storage that records a logout, after which the tab must not take over another session. */
const ASKS_NO_MORE_KEY = 'asksNoMore';

interface Offer extends Session {
  readonly usedAt: number;
}

let othersAnswered = Promise.resolve();

/** Resolves when this tab has a session or has stopped waiting for the other tabs to offer theirs. */
export const waitForOtherTabs = (): Promise<void> => othersAnswered;

/** The channel between the tabs; undefined where cookies are blocked, for which Firefox refuses it. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel('session');
  } catch (cause) {
    console.info('The browser lets this tab talk to no other.', cause);
    return undefined;
  }
}

/** Lets this tab ask the other ones for their session, and answer them. */
export function joinTabs(): void {
  const channel = openChannel();
  if (!channel) return;
  const send = (message: Message) => channel.postMessage(message);
  let current = readSession();
  let best: Offer | undefined;
  let stopWaiting = () => {};
  let usedAt = Date.now();
  /** The ids of ended sessions, whose tokens are neither accepted nor offered. */
  const ended = new Set<string>();
  let asksNoMore = readText(ASKS_NO_MORE_KEY) !== null;

  const mayTakeOver = () => readSession() === null && !asksNoMore;

  function ask(): void {
    if (!mayTakeOver()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    othersAnswered = promise;
    stopWaiting = resolve;
    setTimeout(acceptBest, ANSWERS_MAX_MS);
    send({ kind: 'who is signed in?' });
  }

  function offerSession(): void {
    const session = readSession();
    if (session && !ended.has(session.sessionId)) send({ kind: 'signed in', token: session.token, usedAt });
  }

  function considerOffer(token: string, offeredUse: number): void {
    const session = decodeToken(token);
    if (!session || ended.has(session.sessionId) || !mayTakeOver()) return;
    if (!best) setTimeout(acceptBest, FURTHER_ANSWERS_MS);
    if (!best || offeredUse > best.usedAt) best = { ...session, usedAt: offeredUse };
  }

  function acceptBest(): void {
    if (best && !ended.has(best.sessionId) && mayTakeOver()) startSession(best.token, 'takeover');
    best = undefined;
    stopWaiting();
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'who is signed in?') return offerSession();
    if (data.kind === 'signed in') return considerOffer(data.token, data.usedAt);
    ended.add(data.sessionId);
    if (data.kind !== 'logged out' || readSession()?.sessionId !== data.sessionId) return;
    endSession('logout elsewhere');
    // Says why the text that was typed here has disappeared.
    notify.failure(LOGGED_OUT_ELSEWHERE);
  };

  onSessionChange((change) => {
    const before = current;
    current = readSession();
    if (change === 'renewal') return;
    if (before && !current && change !== 'logout elsewhere') {
      ended.add(before.sessionId);
      send({ kind: change === 'invalid token' ? 'refused' : 'logged out', sessionId: before.sessionId });
    }
    if (change !== 'takeover' && change !== 'invalid token') {
      asksNoMore = change !== 'login';
      storeText(ASKS_NO_MORE_KEY, asksNoMore ? 'yes' : null);
    }
    if (change === 'login') {
      usedAt = Date.now();
      offerSession();
    }
  });

  const recordUse = () => {
    usedAt = Date.now();
  };
  for (const event of ['pointerdown', 'keydown']) addEventListener(event, recordUse, { capture: true, passive: true });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') return;
    recordUse();
    ask();
  });
  ask();
}
