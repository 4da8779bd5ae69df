import { refusals } from '../refusals/refusals.ts';
import { BOUNDS } from './bounds.ts';

interface Turn {
  begin(): void;
  refuse(reason: Error): void;
}

let free: number = BOUNDS.hashedAtOnce.max;
let waiting = 0;
/** By address, in the order of their turns. */
const queues = new Map<string, Turn[]>();

/** Refuses the last of the address that has the most waiting, or nobody when that is no more than this one would have. */
function makeRoomFor(address: string): boolean {
  const longest = [...queues.values()].reduce((one, other) => (other.length > one.length ? other : one), []);
  if (longest.length <= (queues.get(address)?.length ?? 0) + 1) return false;
  longest.pop()?.refuse(refusals.unavailable());
  waiting -= 1;
  return true;
}

function waitForTurn(address: string): Promise<void> {
  if (waiting >= BOUNDS.hashesQueued.max && !makeRoomFor(address)) throw refusals.unavailable();
  waiting += 1;
  return new Promise((resolve, reject) => {
    const turn = { begin: resolve, refuse: reject };
    const own = queues.get(address);
    if (own) own.push(turn);
    else queues.set(address, [turn]);
  });
}

/** The first of the address whose turn it is; its others go behind everybody else's. */
function takeNext(): Turn | undefined {
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
 * @throws a 503 when too many wait, for whoever has most of them waiting
 */
export async function inHashingSlot<T>(address: string, work: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1;
  else await waitForTurn(address);
  try {
    return await work();
  } finally {
    const next = takeNext();
    if (next) next.begin();
    else free += 1;
  }
}
