/**
 * On the answer to a write: where its change stands among those of all processes. On a read: up to where the reader has
 * written, one number or several with commas between, so that the read shows these writes at whichever process.
 */
export const CHANGE_POSITION = 'X-Change-Position';

/** How many of them a request may name. */
export const POSITIONS_MAX = 8;
