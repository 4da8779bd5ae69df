import { availableParallelism } from 'node:os';
import { refusals } from '../http/refusals.ts';

/** Hashing is the dearest thing a stranger can ask for: no more at once than there are cores. */
const SLOTS = availableParallelism();

/** Who comes after so many is refused at once: the last of them already waits for seconds. */
const WAITING_MAX = 500;

let free = SLOTS;
let waiting = 0;
/** By address, in the order of their turns. */
const queues = new Map<string, (() => void)[]>();

function waitForTurn(address: string): Promise<void> {
  if (waiting >= WAITING_MAX) throw refusals.unavailable();
  waiting += 1;
  return new Promise((resolve) => {
    const own = queues.get(address);
    if (own) own.push(resolve);
    else queues.set(address, [resolve]);
  });
}

/** The first of the address whose turn it is; its others go behind everybody else's. */
function takeNext(): (() => void) | undefined {
  for (const [address, own] of queues) {
    queues.delete(address);
    const next = own.shift();
    if (own.length > 0) queues.set(address, own);
    waiting -= 1;
    return next;
  }
  return undefined;
}

/**
 * Runs work that hashes in one of the few slots, address after address: somebody who asks for a thousand at once waits
 * for them alone. What the work checks before hashing is current when its turn comes.
 * @throws a 503 when too many wait
 */
export async function inHashingSlot<T>(address: string, work: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1;
  else await waitForTurn(address);
  try {
    return await work();
  } finally {
    const next = takeNext();
    if (next) next();
    else free += 1;
  }
}
