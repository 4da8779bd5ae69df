import { refusals } from '../refusals/refusals.ts';
import { BOUNDS } from './bounds.ts';

interface QueuedJob {
  begin(): void;
  refuse(reason: Error): void;
}

let freeSlots: number = BOUNDS.hashedAtOnce.max;
let queuedJobs = 0;
/** How many requests wait for a hash. */
export const countQueuedHashes = () => queuedJobs;

/** Queued jobs by address. The addresses are in the order in which they are served. */
const queues = new Map<string, QueuedJob[]>();

/**
 * Refuses the newest job of the address with the most queued jobs.
 * @returns false, without refusing one, if this address itself would then have the most queued jobs
 */
function makeRoomFor(address: string): boolean {
  const longest = [...queues.values()].reduce((one, other) => (other.length > one.length ? other : one), []);
  if (longest.length <= (queues.get(address)?.length ?? 0) + 1) return false;
  longest.pop()?.refuse(refusals.unavailable());
  queuedJobs -= 1;
  return true;
}

function waitForSlot(address: string): Promise<void> {
  if (queuedJobs >= BOUNDS.hashesQueued.max && !makeRoomFor(address)) throw refusals.unavailable();
  queuedJobs += 1;
  return new Promise((resolve, reject) => {
    const queued = { begin: resolve, refuse: reject };
    const own = queues.get(address);
    if (own) own.push(queued);
    else queues.set(address, [queued]);
  });
}

/** Takes the oldest job of the next address and moves that address to the end of the queue. */
function takeNext(): QueuedJob | undefined {
  for (const [address, own] of queues) {
    queues.delete(address);
    const next = own.shift();
    if (own.length > 0) queues.set(address, own);
    queuedJobs -= 1;
    return next;
  }
  return undefined;
}

/**
 * Runs a job that hashes in one of the few slots, taking turns between addresses: a client that requests a thousand
 * hashes delays only itself. The job runs when it has a slot, so that it checks current data.
 * @throws a 503 when the queue is full, for the address with the most queued jobs
 */
export async function inHashingSlot<T>(address: string, work: () => Promise<T>): Promise<T> {
  if (freeSlots > 0) freeSlots -= 1;
  else await waitForSlot(address);
  try {
    return await work();
  } finally {
    const next = takeNext();
    if (next) next.begin();
    else freeSlots += 1;
  }
}
