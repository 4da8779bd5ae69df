import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long one turn of the event loop works on requests before it lets others in: one connection a turn is accepted. */
const TURN_MS = 4;

/** A request that has waited longer is refused: late answers help nobody, and a short no leaves time for the others. */
const WAIT_MAX_MS = 250;

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly since: number;
}

export interface Admission {
  /** Serves a request now, soon, or refuses it. */
  admit(request: IncomingMessage, response: ServerResponse): void;
}

export interface AdmissionOptions {
  serve: Serve;
  refuse(response: ServerResponse): void;
  /** Told when refusing begins after all that waited had been served. */
  onOverload(): void;
}

/**
 * Lets requests in as they can be served, in the order they came. What arrives in one turn of the event loop would be
 * served in it whatever time it takes, and nothing else meanwhile: neither new connections nor what is ready at once.
 */
export function createAdmission({ serve, refuse, onOverload }: AdmissionOptions): Admission {
  const waiting: Waiting[] = [];
  let first = 0;
  let turnEnds = 0;
  let isTurnOpen = false;
  let isOverloaded = false;

  function refuseLate(response: ServerResponse): void {
    if (!isOverloaded) onOverload();
    isOverloaded = true;
    refuse(response);
  }

  function takeNext(): Waiting | undefined {
    const next = waiting[first];
    first += 1;
    if (first < waiting.length) return next;
    waiting.length = 0;
    first = 0;
    return next;
  }

  const closeTurn = () => {
    isTurnOpen = false;
  };

  /** Whether there is time left for one more in this turn. */
  function hasTime(now: number): boolean {
    if (!isTurnOpen) {
      isTurnOpen = true;
      turnEnds = now + TURN_MS;
      setImmediate(closeTurn);
    }
    return now < turnEnds;
  }

  /** Scheduled once for each that waits: between two of them Node finishes what the first has set off. */
  function serveNext(): void {
    const now = performance.now();
    if (!hasTime(now)) {
      setImmediate(serveNext);
      return;
    }
    const next = takeNext();
    if (next && !next.response.destroyed) {
      if (now - next.since > WAIT_MAX_MS) refuseLate(next.response);
      else serve(next.request, next.response);
    }
    if (waiting.length === 0) isOverloaded = false;
  }

  return {
    admit(request, response) {
      const now = performance.now();
      const oldest = waiting[first];
      if (!oldest && hasTime(now)) {
        serve(request, response);
      } else if (oldest && now - oldest.since > WAIT_MAX_MS) {
        refuseLate(response);
      } else {
        waiting.push({ request, response, since: now });
        setImmediate(serveNext);
      }
    },
  };
}
