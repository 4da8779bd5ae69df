import { useState, useSyncExternalStore } from 'react';

/** Where the token is kept (spec §3); nothing else goes into storage. */
const STORAGE_KEY = 'token';

/** Who is signed in, as the token says. Only for what the page shows: the server decides what is allowed. */
export interface Session {
  readonly token: string;
  readonly userId: number;
  readonly username: string;
  readonly isAdmin: boolean;
}

/** Whom something in memory belongs to: a user by id, or null for a visitor, who may become any user. */
export type Owner = number | null;

/** Why the session is another one now. A user logs out; a dead token ends the session of one who is still there. */
export type SessionChange = 'login' | 'logout' | 'dead token';

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
    // Spec §8: an invalid token is only logged, and its bearer is a visitor.
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

export function endSession(why: 'logout' | 'dead token'): void {
  sessionStorage.removeItem(STORAGE_KEY);
  change(null, why);
}

/** Calls back after every sign-in and sign-out; returns the way to stop. */
export function onSessionChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSession(): Session | null {
  return useSyncExternalStore(onSessionChange, readSession, () => null);
}

/** Whose text a form holds: who is signed in, or, when the session ends while it is open, who was. */
export function useOwner(): Owner {
  const session = useSession();
  const [owner, setOwner] = useState<Owner>(session?.userId ?? null);
  // While what the server rendered is hydrated, everybody is a visitor.
  if (session && session.userId !== owner) setOwner(session.userId);
  return owner;
}
