import { useState } from 'react';
import { createStore } from './store.ts';

/** The sessionStorage key of the token (spec §3); nothing else is stored. */
const STORAGE_KEY = 'token';

/** The signed-in user according to the token. Only for display: the server decides what is allowed. */
export interface Session {
  readonly token: string;
  readonly userId: number;
  readonly username: string;
  readonly isAdmin: boolean;
}

/** The owner of data in memory: a user's id, or null for a visitor, who may log in as any user. */
export type Owner = number | null;

/** Why the session changed. After an invalid token, unlike after a logout, the user is still at the page. */
type SessionChange = 'login' | 'logout' | 'invalid token';

const session = createStore<Session | null, SessionChange>(readToken, null);

function readToken(): Session | null {
  const token = sessionStorage.getItem(STORAGE_KEY);
  return token ? decode(token) : null;
}

function decode(token: string): Session | null {
  try {
    const payload = token.split('.')[1] ?? '';
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const claims = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof claims.userId !== 'number' || typeof claims.sub !== 'string') throw new Error('claims are missing');
    return { token, userId: claims.userId, username: claims.sub, isAdmin: claims.isAdmin === true };
  } catch (cause) {
    // An unreadable token is only logged, and the user counts as a visitor (spec §8).
    console.info('The stored token cannot be read.', cause);
    return null;
  }
}

/** The session of this tab, or null for a visitor. */
export const readSession = session.get;

export function startSession(token: string): Session | null {
  sessionStorage.setItem(STORAGE_KEY, token);
  const started = decode(token);
  session.set(started, 'login');
  return started;
}

export function endSession(why: 'logout' | 'invalid token'): void {
  sessionStorage.removeItem(STORAGE_KEY);
  session.set(null, why);
}

/** Calls back after every sign-in and sign-out; returns a function that unsubscribes. */
export const onSessionChange = session.subscribe;

export const useSession = session.use;

/**
 * The owner of the text in a form: the signed-in user, or the previous one if the session ended while the form was
 * open.
 */
export function useOwner(): Owner {
  const signedIn = useSession();
  const [owner, setOwner] = useState<Owner>(signedIn?.userId ?? null);
  // During hydration the session is always that of a visitor.
  if (signedIn && signedIn.userId !== owner) setOwner(signedIn.userId);
  return owner;
}
