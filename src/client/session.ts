import { useEffect, useState } from 'react';
import { createStore } from './store.ts';
import { forgetAllOf, giveToUser, type Owner, readText, storeText } from './tab-memory.ts';

/** The key of the token in the tab's storage (spec §3). */
const TOKEN_KEY = 'token';

/** The signed-in user according to the token. Only for display: the server decides what is allowed. */
export interface Session {
  readonly token: string;
  readonly sessionId: string;
  readonly userId: number;
  readonly username: string;
  readonly isAdmin: boolean;
}

/** Why a session began: by a login in this tab, or taken over from another one. */
type SessionStart = 'login' | 'takeover';

/**
 * Why a session ended: its user chose to log out, here or in another tab, or the server refused the token. After such a
 * refusal, unlike after a logout, the user is still at the page.
 */
type SessionEnd = 'logout' | 'logout elsewhere' | 'invalid token';

/** A renewal changes what the same session says of its user: another username, or that they are no admin any more. */
type SessionChange = SessionStart | 'renewal' | SessionEnd;

const session = createStore<Session | null, SessionChange>(null, readStoredSession);

function readStoredSession(): Session | null {
  const token = readText(TOKEN_KEY);
  return token ? decodeToken(token) : null;
}

/** Reads the user of a token; null if it cannot be read. */
export function decodeToken(token: string): Session | null {
  try {
    const payload = token.split('.')[1] ?? '';
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const { userId, sub, isAdmin, jti } = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof userId !== 'number' || typeof sub !== 'string') throw new Error('claims are missing');
    return { token, sessionId: String(jti), userId, username: sub, isAdmin: isAdmin === true };
  } catch (cause) {
    // An unreadable token is only logged, and the user counts as a visitor (spec §8).
    console.info('The stored token cannot be read.', cause);
    return null;
  }
}

/** The session of this tab, or null for a visitor. */
export const readSession = session.get;

/** Starts a session. The visitor's drafts and begun actions in this tab then belong to the user. */
export function startSession(token: string, why: SessionStart): void {
  storeText(TOKEN_KEY, token);
  const started = decodeToken(token);
  if (started) giveToUser(started.userId);
  session.set(started, why);
}

/** Replaces the token of the current session. A late one brings back no session that has ended. */
export function renewSession(token: string): void {
  const renewed = decodeToken(token);
  if (renewed?.sessionId !== session.get()?.sessionId) return;
  storeText(TOKEN_KEY, token);
  session.set(renewed, 'renewal');
}

/** Takes note that the user of a token is no admin any more, whatever it says. An older token demotes no newer session. */
export function demote(token: string | undefined): void {
  const current = session.get();
  if (current?.isAdmin && current.token === token) session.set({ ...current, isAdmin: false }, 'renewal');
}

/** Ends the session. A logout forgets what the user has typed; after an invalid token it is kept for them. */
export function endSession(why: SessionEnd): void {
  const ended = session.get();
  storeText(TOKEN_KEY, null);
  if (ended && why !== 'invalid token') forgetAllOf(ended.userId);
  session.set(null, why);
}

/** Calls back after every sign-in, sign-out and renewal; returns a function that unsubscribes. */
export const onSessionChange = session.subscribe;

export const useSession = session.use;

/**
 * The owner of the text in a form: the signed-in user, or the previous one if the token was refused while the form was
 * open.
 */
export function useOwner(): Owner {
  const signedIn = useSession();
  const [owner, setOwner] = useState<Owner>(signedIn?.userId ?? null);
  useEffect(() => {
    const stop = onSessionChange((change) => {
      if (change === 'logout' || change === 'logout elsewhere') setOwner(null);
    });
    return () => void stop();
  }, []);
  // During hydration the session is always that of a visitor.
  if (signedIn && signedIn.userId !== owner) setOwner(signedIn.userId);
  return owner;
}
