import { useState, useSyncExternalStore } from 'react';

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

type Listener = (change: SessionChange) => void;

const listeners = new Set<Listener>();
let current: Session | null | undefined;

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
export function readSession(): Session | null {
  if (current === undefined) {
    const token = sessionStorage.getItem(STORAGE_KEY);
    current = token ? decode(token) : null;
  }
  return current;
}

function change(session: Session | null, why: SessionChange): void {
  current = session;
  for (const listener of listeners) listener(why);
}

export function startSession(token: string): Session | null {
  sessionStorage.setItem(STORAGE_KEY, token);
  const session = decode(token);
  change(session, 'login');
  return session;
}

export function endSession(why: 'logout' | 'invalid token'): void {
  sessionStorage.removeItem(STORAGE_KEY);
  change(null, why);
}

/** Calls back after every sign-in and sign-out; returns a function that unsubscribes. */
export function onSessionChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSession(): Session | null {
  return useSyncExternalStore(onSessionChange, readSession, () => null);
}

/**
 * The owner of the text in a form: the signed-in user, or the previous one if the session ended while the form was
 * open.
 */
export function useOwner(): Owner {
  const session = useSession();
  const [owner, setOwner] = useState<Owner>(session?.userId ?? null);
  // During hydration the session is always that of a visitor.
  if (session && session.userId !== owner) setOwner(session.userId);
  return owner;
}
