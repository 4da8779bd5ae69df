import { AsyncLocalStorage } from 'node:async_hooks';
import { type IncomingMessage, ServerResponse } from 'node:http';
import { currentWork, type Work } from './limits/processor-time.ts';

/** The arguments of `end`, for later. */
interface Ending {
  readonly response: BatchedResponse<IncomingMessage>;
  readonly chunk: unknown;
  readonly encoding: unknown;
  readonly callback: unknown;
  readonly work: Work | undefined;
}

const outsideRequests = AsyncLocalStorage.snapshot();
let batch: Ending[] = [];
/** How many responses have ended in this iteration of the event loop. */
let endedCount = 0;
/** Whether several ended in the last one: a single response would gain nothing by waiting. */
let isBusy = false;

function endIteration(): void {
  const endings = batch;
  batch = [];
  isBusy = endedCount > 1;
  endedCount = 0;
  let since = performance.now();
  for (const { response, chunk, encoding, callback, work } of endings) {
    response.endNow(chunk, encoding, callback);
    const now = performance.now();
    work?.add(now - since);
    since = now;
  }
}

/**
 * A response that a busy server writes at the end of the event loop's iteration, together with the others that have
 * ended in it. See docs/decisions/062-responses-written-together.md.
 */
export class BatchedResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    // While a request arrives, its connection can fail or be stopped: whatever answers it then is written at once.
    if (!this.req.complete) {
      this.endNow(chunk, encoding, callback);
      return this;
    }
    endedCount += 1;
    if (endedCount === 1) setImmediate(outsideRequests, endIteration);
    if (isBusy) batch.push({ response: this, chunk, encoding, callback, work: currentWork() });
    else this.endNow(chunk, encoding, callback);
    return this;
  }

  endNow(chunk: unknown, encoding: unknown, callback: unknown): void {
    // Safe: they were given to `end`.
    super.end(chunk, encoding as BufferEncoding, callback as () => void);
  }
}
