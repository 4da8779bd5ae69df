import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { accountAddress, PAGES } from '../contract/pages.ts';
import { useOwner, useSession } from './session.ts';
import { forget, isOnPage, keep, readKept, readNewestDraft, useKept, useWaitingDraft } from './tab-memory.ts';

// An action that a visitor began and has to log in for. When they come back to the page, it is done or its form opened.

const BEGUN_KEY = 'begun';
const LOGIN_REASON_KEY = 'login reason';
/** How long a begun action is kept for the login. */
const LIFE_MS = 30 * 60_000;

/** Why the login page was opened. It is kept for a visitor, because nobody is signed in on that page. */
interface LoginReason {
  /** The page to open after the login. */
  readonly address: string;
  readonly reason: string;
}

/** The name of an action or a form with its page: "/school/4 save". */
export const actionKey = (pathname: string, action: string) => `${pathname} ${action}`;

/**
 * @returns a function that leads to the login page, from which the user comes back to the action or form of this page
 * that they began: "save"
 */
export function useLoginDetour(): (action: string, reason: string) => void {
  const owner = useOwner();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return (action, reason) => {
    // The user has opened another page since: do not lead them away from it.
    if (location.pathname !== pathname) return;
    const address = pathname + search;
    keep(owner, BEGUN_KEY, actionKey(pathname, action), LIFE_MS);
    keep(null, LOGIN_REASON_KEY, { address, reason } satisfies LoginReason, LIFE_MS);
    void navigate(accountAddress(PAGES.login, { next: address }));
  };
}

/** @returns a function that runs an action of a signed-in user, and leads a visitor to the login page instead */
export function useLoginFirst(reason: string): (action: string, run: () => void) => void {
  const session = useSession();
  const goToLogin = useLoginDetour();
  return (action, run) => (session ? run() : goToLogin(action, reason));
}

/** The sentence that tells somebody why the login page was opened. @param next the page it leads to afterwards */
export function useLoginReason(next: string | undefined): string | undefined {
  // Safe: only this module writes the value.
  const kept = useKept(null, LOGIN_REASON_KEY) as LoginReason | undefined;
  const hasDraftThere = isOnPage(useWaitingDraft(), next);
  if (kept && kept.address === next) return kept.reason;
  return hasDraftThere ? 'Log in to go on. What you wrote is kept.' : undefined;
}

/**
 * After a login, resumes the draft that the user had on the next page when their session ended. An action that they have
 * begun since then takes precedence.
 */
export function resumeDraft(userId: number, next: string | undefined): void {
  const key = readNewestDraft((owner) => owner === userId);
  if (isOnPage(key, next) && readKept(userId, BEGUN_KEY) === undefined) keep(userId, BEGUN_KEY, key, LIFE_MS);
}

/**
 * Continues, once, what the signed-in user began here before logging in.
 * @param resume gets the action, and returns whether it is done with it: until then it is called at each rendering
 */
export function useResumed(resume: (action: string) => boolean, isReady = true): void {
  const userId = useSession()?.userId;
  const page = `${useLocation().pathname} `;
  const key = String(useKept(userId ?? null, BEGUN_KEY) ?? '');
  useEffect(() => {
    if (!isReady || userId === undefined || !key.startsWith(page)) return;
    // Read again: since the rendering, another component may have resumed the action.
    if (readKept(userId, BEGUN_KEY) === undefined || !resume(key.slice(page.length))) return;
    forget(userId, BEGUN_KEY);
    forget(userId, LOGIN_REASON_KEY);
  });
}
