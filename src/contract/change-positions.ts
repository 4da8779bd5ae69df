/**
 * On the answer to a write: the position of its change among those of all processes. On a read: the positions of what
 * its reader has written, separated by commas, so that the answer contains these writes, whichever process gives it.
 */
export const CHANGE_POSITION = 'X-Change-Position';

/** How many of them a request may name. */
export const POSITIONS_MAX = 8;
