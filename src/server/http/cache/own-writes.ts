import type { IncomingMessage } from 'node:http';
import { CHANGE_POSITION, POSITIONS_MAX } from '../../../contract/change-positions.ts';
import type { Database, Position } from '../../database/database.ts';
import { currentWork } from '../limits/processor-time.ts';
import { withTimeout } from './response-cache.ts';

/** How long a read waits for the change that its reader has made at another process. */
const WAIT_MAX_MS = 250;

const HEADER_NAME = CHANGE_POSITION.toLowerCase();
const POSITIONS_PATTERN = new RegExp(`^\\d{1,15}(?:, ?\\d{1,15}){0,${POSITIONS_MAX - 1}}$`);

/** Stores the position of a commit with the running request, in place of that of its previous commit. */
export function recordPosition(position: Position | undefined): void {
  const work = currentWork();
  if (work && position !== undefined) work.position = position;
}

function readPositions({ headers: { [HEADER_NAME]: text } }: IncomingMessage): number[] {
  return typeof text === 'string' && POSITIONS_PATTERN.test(text) ? text.split(',').map(Number) : [];
}

export type OwnWrites = ReturnType<typeof createOwnWrites>;

/**
 * Read-your-writes consistency across processes: readers see what they have written at another process, from which a
 * change takes some milliseconds to arrive.
 * @param database returns the database, which is opened only after the server is created
 */
export function createOwnWrites(database: () => Pick<Database, 'hasFollowed' | 'follow'>) {
  return {
    /** Whether this process lacks a change that the reader has made. */
    isBehind(request: IncomingMessage): boolean {
      const positions = readPositions(request);
      return positions.length > 0 && !database().hasFollowed(positions);
    },
    /** Waits for the changes of all processes. @returns false if the cache and the replicas may still lack some */
    // The change is committed, because its writer was answered: a read of the log that begins now contains it. A
    // position that is not there even then was invented, to read past the cache.
    catchUp: () =>
      withTimeout(database().follow(), WAIT_MAX_MS).then(
        () => true,
        () => false,
      ),
  };
}
