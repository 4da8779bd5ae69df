import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { Connection, Database } from '../database/database.ts';
import { VERSION } from '../database/served-versions.ts';
import { CURRENT_SCHEMA } from '../database/site-copy.ts';
import type { Milliseconds } from '../database/tables.ts';
import { withTimeout } from '../http/cache/response-cache.ts';
import type { FindObstacle, Subscription } from '../http/health.ts';
import type { Draining, Starting } from '../http/lifecycle.ts';
import { countQueuedHashes } from '../http/limits/hashing-slots.ts';
import type { Metric, Sample } from '../http/metrics.ts';
import { countActs, countSessions, measureClock } from './queries.ts';
import { lastBackupFile } from './run-files.ts';

/** How old the database's answer may be: several scrapers then cause no more queries than one. */
const ANSWER_AGE_MAX_MS = 2_000;

/** For how long a scrape waits for the database. */
const ANSWER_WITHIN_MS = 800;

interface OpenWork {
  readonly mails: number;
  /** Since when the oldest mail waits; null when none does. */
  readonly oldestMail: Milliseconds | null;
  readonly decisions: { readonly reviews: number; readonly proposals: number };
}

interface Sources {
  readonly server: FastifyInstance;
  readonly database: Database;
  readonly outbox: { readonly counts: { readonly handedOver: number; readonly refused: number } };
  /** Counts the queued mails and the open decisions. */
  readonly measureOpenWork: (db: Connection) => Promise<OpenWork>;
  readonly findObstacle: FindObstacle;
  readonly subscription: Readonly<Subscription>;
  readonly draining: Draining;
  readonly starting: Starting;
  readonly dataDir: string;
  readonly now: () => Milliseconds;
}

/** Queries the database for a scrape. */
async function askDatabase({ database, measureOpenWork, findObstacle, now }: Sources) {
  const { read } = database;
  const clockOffset = await measureClock(database, now);
  const waiting = await measureOpenWork(read);
  const isReady = (await findObstacle()) === undefined;
  return { clockOffset, waiting, sessions: await countSessions(read), acts: await countActs(read), isReady };
}

/** Makes the function that reads what the metrics of a scrape share; undefined when the database does not answer. */
function createStateReader(sources: Sources) {
  let answer: ReturnType<typeof askDatabase> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (!sources.starting.isOver) return undefined;
    if (!answer || performance.now() - askedAt > ANSWER_AGE_MAX_MS) {
      askedAt = performance.now();
      answer = askDatabase(sources);
    }
    return withTimeout(answer, ANSWER_WITHIN_MS).catch(() => undefined);
  };
}

const labelled = (label: string, values: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(values).map(([name, value]) => [value, { [label]: name }]);

/** The metrics of what this process uses and what the site does, for alerts. */
export function listAppMetrics(sources: Sources): Metric[] {
  const { server, database, outbox, subscription, draining, dataDir, now } = sources;
  const readState = createStateReader(sources);
  type State = NonNullable<Awaited<ReturnType<typeof readState>>>;
  /**
   * Reads a metric from the database's answer. It has no value while the database does not answer: an earlier value
   * would hide that.
   */
  const fromState = (find: (state: State) => number | Sample[]) => async () => {
    const state = await readState();
    return state === undefined ? [] : find(state);
  };
  /** The connections are counted after the scrape's own queries, which would otherwise count as waiting. */
  const countConnections = async () => {
    await readState();
    return database.statistics().connections;
  };
  return [
    {
      name: 'ready',
      help: 'Whether the process is ready for work, as /readyz says: 1 or 0',
      read: async () => Number((await readState())?.isReady ?? false),
    },
    {
      name: 'database_up',
      help: 'Whether the database answers: 1 or 0',
      read: async () => ((await readState()) === undefined ? 0 : 1),
    },
    {
      name: 'database_clock_offset_seconds',
      help: "How far this process's clock is ahead of the database's",
      read: fromState(({ clockOffset }) => clockOffset / 1000),
    },
    {
      name: 'database_connections',
      help: 'Connections of this process to the primary (PostgreSQL)',
      labelNames: ['state'],
      read: async () => {
        const found = await countConnections();
        return found ? labelled('state', { idle: found.idle, used: found.total - found.idle }) : [];
      },
    },
    {
      name: 'database_connections_waited_for',
      help: 'Queries that wait for a connection (PostgreSQL)',
      read: async () => (await countConnections())?.waiting ?? [],
    },
    {
      name: 'change_lag_seconds',
      help: 'Since when no word of other processes can have arrived (PostgreSQL)',
      read: () => (subscription.followedAt === undefined ? [] : (performance.now() - subscription.followedAt) / 1000),
    },
    {
      name: 'replicas',
      help: 'Read replicas, by whether reads go there now (PostgreSQL)',
      labelNames: ['state'],
      read: () => {
        const { replicas } = database.statistics();
        return replicas ? labelled('state', { used: replicas.current, unused: replicas.all - replicas.current }) : [];
      },
    },
    {
      name: 'replica_lag_seconds',
      help: 'For how long a replica has not been known to have every change (PostgreSQL)',
      labelNames: ['replica'],
      read: () => labelled('replica', database.statistics().replicas?.lags ?? {}),
    },
    {
      name: 'shared_reads_total',
      help: 'Reads that may go to a replica, by where they went (PostgreSQL)',
      labelNames: ['server'],
      read: () => labelled('server', { ...database.statistics().replicas?.reads }),
    },
    { name: 'mails_queued', help: 'Mails that wait', read: fromState(({ waiting }) => waiting.mails) },
    {
      name: 'mail_oldest_seconds',
      help: 'For how long the oldest mail waits; 0 when none does',
      read: fromState(({ waiting: { oldestMail } }) =>
        oldestMail === null ? 0 : Math.max(0, (now() - oldestMail) / 1000),
      ),
    },
    {
      name: 'mails_handed_over_total',
      help: 'Mails of this process that the mail server has accepted',
      read: () => outbox.counts.handedOver,
    },
    {
      name: 'mails_refused_total',
      help: 'Mails of this process that the mail server has refused for good',
      read: () => outbox.counts.refused,
    },
    { name: 'sessions', help: 'Sessions that are stored', read: fromState(({ sessions }) => sessions) },
    {
      name: 'open_decisions',
      help: 'What waits for an admin',
      labelNames: ['kind'],
      read: fromState(({ waiting }) => labelled('kind', waiting.decisions)),
    },
    {
      name: 'site_acts_total',
      help: 'What people did on the site, of all processes together',
      labelNames: ['act'],
      read: fromState(({ acts }) => labelled('act', acts)),
    },
    { name: 'hashes_queued', help: 'Requests that wait for a password hash', read: countQueuedHashes },
    {
      name: 'http_connections',
      help: 'Open connections of clients',
      read: () => new Promise((resolve) => server.server.getConnections((error, count) => resolve(error ? [] : count))),
    },
    { name: 'draining', help: 'Whether the process is stopping: 1 or 0', read: () => Number(draining.isDraining) },
    {
      name: 'build_info',
      help: 'Always 1',
      labelNames: ['version', 'migration'],
      read: () => [[1, { version: VERSION, migration: CURRENT_SCHEMA }]],
    },
    {
      name: 'backup_last_success_timestamp_seconds',
      help: 'When npm run backup last succeeded; 0: never. Of PostgreSQL, whose backups are made elsewhere, only if noted',
      read: () => {
        const file = statSync(lastBackupFile(dataDir), { throwIfNoEntry: false });
        if (file) return file.mtimeMs / 1000;
        return database.engine === 'sqlite' ? 0 : [];
      },
    },
    {
      name: 'data_disk_bytes',
      help: 'The disk of DATA_DIR',
      labelNames: ['part'],
      read: async () => {
        const { bsize, blocks, bavail } = await statfs(dataDir);
        return labelled('part', { all: blocks * bsize, free: bavail * bsize });
      },
    },
  ];
}
