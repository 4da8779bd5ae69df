import { CHANGE_POSITION, POSITIONS_MAX } from '../contract/change-positions.ts';

/** How long reads send the position of a change: longer than any process takes to read it from the log. */
const SENT_FOR_MS = 10_000;

/** The positions of this tab's recent changes, newest last, each with the time until which reads send it. */
let recentWrites: { readonly position: string; readonly until: number }[] = [];

/** Remembers the change that the response to a write names, if any. */
export function rememberOwnWrite({ headers }: Response): void {
  const position = headers.get(CHANGE_POSITION);
  if (position) recentWrites = [...recentWrites, { position, until: Date.now() + SENT_FOR_MS }].slice(-POSITIONS_MAX);
}

/** Adds the recent writes of this tab to a read, so that the answer contains them, whichever process gives it. */
export function addOwnWrites(headers: Headers): void {
  recentWrites = recentWrites.filter(({ until }) => until > Date.now());
  if (recentWrites.length > 0) headers.set(CHANGE_POSITION, recentWrites.map(({ position }) => position).join(', '));
}
