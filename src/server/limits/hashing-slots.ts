import { refusals } from '../refusals/refusals.ts';
import { BOUNDS } from './bounds.ts';

interface Turn {
  begin(): void;
  refuse(reason: Error): void;
}

let free: number = BOUNDS.hashedAtOnce.max;
let waiting = 0;
/** Queued work by address, in the order in which the addresses are served. */
const queues = new Map<string, Turn[]>();

/**
 * Refuses the newest work of the address that has most queued; nobody if that address has no more than this one would.
 */
function makeRoomFor(address: string): boolean {
  const longest = [...queues.values()].reduce((one, other) => (other.length > one.length ? other : one), []);
  if (longest.length <= (queues.get(address)?.length ?? 0) + 1) return false;
  longest.pop()?.refuse(refusals.unavailable());
  waiting -= 1;
  return true;
}

function waitForSlot(address: string): Promise<void> {
  if (waiting >= BOUNDS.hashesQueued.max && !makeRoomFor(address)) throw refusals.unavailable();
  waiting += 1;
  return new Promise((resolve, reject) => {
    const queued = { begin: resolve, refuse: reject };
    const own = queues.get(address);
    if (own) own.push(queued);
    else queues.set(address, [queued]);
  });
}

/** Takes the oldest work of the next address; the address then goes to the end of the queue. */
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
 * Runs work that hashes in one of the few slots, one address after another: a client that asks for a thousand hashes
 * delays only itself. What the work checks before hashing is read when it runs.
 * @throws a 503 when the queue is full, for the client that has most work in it
 */
export async function inHashingSlot<T>(address: string, work: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1;
  else await waitForSlot(address);
  try {
    return await work();
  } finally {
    const next = takeNext();
    if (next) next.begin();
    else free += 1;
  }
}
