/**
 * The header for read-your-writes consistency. On the answer to a write: the position of its change in the log of all
 * processes. On a read: the positions of its reader's writes, separated by commas, so that the answer contains them,
 * whichever process gives it.
 */
export const CHANGE_POSITION = 'X-Change-Position';

/** The maximum number of positions in a request. */
export const POSITIONS_MAX = 8;
