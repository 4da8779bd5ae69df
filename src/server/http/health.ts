import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import { failureFields } from '../database/failures.ts';
import { requireAnswer } from '../database/read-probe.ts';
import { refusals } from '../refusals/refusals.ts';
import type { Draining } from './draining.ts';
import { sendRefusal } from './failures.ts';

/** Whether changes by other processes arrive over LISTEN; always true on SQLite. */
export interface Subscription {
  isActive: boolean;
  /** How often the subscription was lost. */
  losses: number;
}

interface HealthOptions {
  draining: Draining;
  subscription: Subscription;
}

/**
 * `GET /healthz`: the process is up. `GET /readyz`: the database answers, accepts writes and notifies this process of
 * changes.
 */
export function serveHealth(app: FastifyInstance, database: Database, { draining, subscription }: HealthOptions): void {
  app.get('/healthz', async () => ({ status: 'up' }));
  app.get('/readyz', async (request, reply) => {
    if (draining.isDraining) return sendRefusal(reply, refusals.unavailable());
    try {
      await requireAnswer(database.read);
      await database.checkWritable();
    } catch (error) {
      request.log.warn(
        { event: 'not-ready', ...failureFields(error) },
        'the database does not answer or takes no writes',
      );
      return sendRefusal(reply, refusals.unavailable());
    }
    if (!subscription.isActive) {
      request.log.warn({ event: 'not-ready' }, 'changes of other processes do not arrive');
      return sendRefusal(reply, refusals.unavailable());
    }
    return { status: 'ready' };
  });
}
