import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import { failureFields, UnusableDatabase } from '../database/failures.ts';
import { requireServed } from '../database/served-versions.ts';
import { withTimeout } from './cache/response-cache.ts';
import { sendRefusal } from './failures.ts';
import type { Draining, Starting } from './lifecycle.ts';
import { refusals } from './refusals/refusals.ts';

/** /readyz must answer within 1 s, even while the database does not. */
const ANSWER_WITHIN_MS = 800;

/** The subscription to the changes of other processes, which arrive over LISTEN. On SQLite it is always active. */
export interface Subscription {
  isActive: boolean;
  /** How often the subscription was lost. */
  losses: number;
  /** When this process had last received all changes (`performance.now()`); undefined on SQLite. */
  followedAt: number | undefined;
}

/**
 * Makes a check that ends within `ANSWER_WITHIN_MS`. Concurrent requests share one run of it: while the database hangs,
 * each run holds one more connection.
 */
function createDatabaseCheck(database: Database): () => Promise<void> {
  let running: Promise<void> | undefined;

  async function check(): Promise<void> {
    await requireServed(database.read);
    await database.checkWritable();
  }

  return () => {
    running ??= check().finally(() => {
      running = undefined;
    });
    return withTimeout(running, ANSWER_WITHIN_MS);
  };
}

/** Finds why the process is not ready, as a sentence; undefined if it is ready. @param log gets the cause */
export type FindObstacle = (log?: FastifyBaseLogger) => Promise<string | undefined>;

/**
 * Makes the check for /readyz. A process is ready when it has started, its version is one that the database serves, and
 * the database answers, accepts writes and notifies this process of changes.
 */
export function createReadiness(
  database: Database,
  { draining, starting, subscription }: { draining: Draining; starting: Starting; subscription: Subscription },
): FindObstacle {
  const check = createDatabaseCheck(database);

  return async (log) => {
    if (draining.isDraining) return 'The process is stopping.';
    if (!starting.isOver) return `The process is starting: it is ${starting.step}.`;
    try {
      await check();
    } catch (error) {
      if (error instanceof UnusableDatabase) {
        log?.warn({ event: 'not-ready', reason: error.message }, 'the database does not serve this version any more');
        return error.message;
      }
      log?.warn({ event: 'not-ready', ...failureFields(error) }, 'the database does not answer or takes no writes');
      return 'The database does not answer or takes no writes.';
    }
    if (subscription.isActive) return undefined;
    log?.warn({ event: 'not-ready' }, 'changes of other processes do not arrive');
    return 'Changes of other processes do not arrive.';
  };
}

/** `GET /healthz`: the process is up. `GET /readyz`: it is ready for work. */
export function serveHealth(app: FastifyInstance, findObstacle: FindObstacle): void {
  app.get('/healthz', async () => ({ status: 'up' }));
  app.get('/readyz', async (request, reply) => {
    const reason = await findObstacle(request.log);
    return reason === undefined ? { status: 'ready' } : sendRefusal(reply, refusals.notReady(reason));
  });
}
