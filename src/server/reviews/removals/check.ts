import type { Connection } from '../../database/database.ts';
import { readInSteps } from '../../database/paging.ts';
import { findHead, hashLine, listUnrecordedReviews, selectChain } from './queries.ts';

const BATCH_SIZE = 1_000;

/** How many differences are listed at most. */
const FAULTS_MAX = 10;

/** Recomputes the hash chain of removals, and compares each review's state with its last line, while others write. */
export async function checkRemovals(db: Connection): Promise<{ lines: number; faults: string[] }> {
  // The head is read before the lines: lines that are added meanwhile come after it.
  const head = (await findHead(db)) ?? { last_id: 0, last_hash: '' };
  const faults: string[] = [];
  let last = { id: 0, hash: '' };
  for await (const lines of readInSteps(selectChain(db), BATCH_SIZE)) {
    for (const line of lines) {
      if (line.id !== last.id + 1) faults.push(`removal ${last.id + 1} is missing`);
      else if (line.hash !== hashLine(last.hash, line)) faults.push(`removal ${line.id} does not have its hash`);
      if (line.id === head.last_id && line.hash !== head.last_hash) {
        faults.push(`removal ${line.id} is not the one that was added last`);
      }
      last = line;
    }
  }
  if (last.id < head.last_id) faults.push(`removal ${head.last_id} is missing`);
  for (const { id, isHidden } of await listUnrecordedReviews(db, FAULTS_MAX)) {
    faults.push(`review ${id} is ${isHidden ? 'hidden' : 'shown'}, and its last removal says otherwise`);
  }
  return { lines: last.id, faults: faults.slice(0, FAULTS_MAX) };
}
