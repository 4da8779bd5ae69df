import { CHANGE_POSITION, POSITIONS_MAX } from '../contract/change-positions.ts';

/** Longer than any process takes to learn of a change. */
const SENT_FOR_MS = 10_000;

/** What this tab has changed of late, the newest last, and until when its reads say so. */
let recent: { readonly position: string; readonly until: number }[] = [];

/** Notes the change of an answered write, if the answer names one. */
export function noteOwnWrite({ headers }: Response): void {
  const position = headers.get(CHANGE_POSITION);
  if (position) recent = [...recent, { position, until: Date.now() + SENT_FOR_MS }].slice(-POSITIONS_MAX);
}

/** Makes a read show what this tab has written, also where another process answers it. */
export function sayOwnWrites(headers: Headers): void {
  recent = recent.filter(({ until }) => until > Date.now());
  if (recent.length > 0) headers.set(CHANGE_POSITION, recent.map(({ position }) => position).join(', '));
}
