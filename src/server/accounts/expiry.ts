import type { FastifyBaseLogger } from 'fastify';
import { DAY, MINUTE } from '../../contract/durations.ts';
import type { Database } from '../database/database.ts';
import { failureFields } from '../database/failures.ts';
import type { Milliseconds } from '../database/tables.ts';
import { deleteEndedWindows } from '../http/limits/queries.ts';
import { deleteOldDecisions } from '../reviews/reports/queries.ts';
import { purgeOne } from '../visibility/deletion-queries.ts';
import { deleteOldChanges } from './mine/queries.ts';
import { deleteExpired } from './queries.ts';
import { SESSION_LIFETIME_MAX } from './sessions.ts';
import { UNVERIFIED_LIFETIME } from './signup.ts';
import { deleteOldRecords } from './state/queries.ts';

const SWEEP_EVERY_MS = 10 * MINUTE;

/** How long before the end of a day the last sweep of the day begins. */
const BEFORE_DAY_ENDS_MS = 1_000;

/**
 * Milliseconds until the next sweep. One is just before each day ends in UTC: the figures that a sweep records last on a
 * day are those of that day.
 */
export function untilNextSweep(now: Milliseconds): Milliseconds {
  const left = DAY - BEFORE_DAY_ENDS_MS - (now % DAY);
  return left > 0 ? Math.min(left, SWEEP_EVERY_MS) : SWEEP_EVERY_MS;
}

/**
 * How many throttles are deleted in one transaction: a flood of guesses leaves very many, and other writes must not be
 * delayed.
 */
const THROTTLE_BATCH_SIZE = 2_000;

/** How long decisions about a review are kept after the last one, if the review is shown. */
const DECISION_RETENTION = 365 * DAY;

const DECISION_BATCH_SIZE = 200;

/**
 * Removes expired rows, old decisions, and schools and entries that admins deleted long ago. Expired rows are ignored
 * anyway: removing them keeps the tables small.
 */
export async function sweepExpired(database: Database, now: Milliseconds): Promise<void> {
  while (await database.write((db) => deleteEndedWindows(db, now, THROTTLE_BATCH_SIZE)));
  while (await database.write((db) => purgeOne(db, now)));
  while (await database.write((db) => deleteOldDecisions(db, now - DECISION_RETENTION, DECISION_BATCH_SIZE)));
  await database.write(async (db, commit) => {
    commit.erase();
    await deleteOldChanges(db, now);
    await deleteOldRecords(db, now);
    await deleteExpired(db, {
      now,
      sessionsCreatedBefore: now - SESSION_LIFETIME_MAX,
      unverifiedCreatedBefore: now - UNVERIFIED_LIFETIME,
    });
  });
}

/**
 * Removes expired rows periodically.
 * @param sweepMore removes further data that has expired
 * @returns a function that stops it
 */
export function startExpiry(
  database: Database,
  sweepMore: () => Promise<void>,
  now: () => Milliseconds,
  log: FastifyBaseLogger,
): () => void {
  const sweep = async () => {
    try {
      await sweepExpired(database, now());
      await sweepMore();
    } catch (error) {
      log.warn({ event: 'expiry-failed', ...failureFields(error) }, 'expired rows stay until the next try');
    }
  };
  let timer: NodeJS.Timeout;
  const schedule = () => {
    timer = setTimeout(() => {
      void sweep();
      schedule();
    }, untilNextSweep(now())).unref();
  };
  schedule();
  return () => clearTimeout(timer);
}
