import { reviewCalls } from '../src/contract/reviews.ts';
import { startPostgres } from '../tests/support/postgres.ts';
import { runSql } from '../tests/support/postgres-faults.ts';
import { openProxy, type PostgresProxy } from '../tests/support/postgres-proxy.ts';
import { ask, send } from './http.ts';
import { openPostgresPlace } from './places.ts';
import { type Population, populate } from './population.ts';
import { type Fault, type Server, startServer } from './server.ts';
import { timeUntil } from './waiting.ts';

export const UNANNOUNCED_CHANGES = 100;
/** The longest time until a silent subscription is noticed, and until it counts as active after notifications are back. */
export const SILENT_MAX_MS = 5_000;
const ASK_AGAIN_AFTER_MS = 10;

interface Subject {
  readonly server: Server;
  readonly population: Population;
}

/** Changes an entry while the product gets no notifications. @returns how many of the next reads were stale */
export async function changeUnannounced({ server, population }: Subject, databaseUrl: string): Promise<number> {
  const [target] = population.targets;
  let stale = 0;
  for (let change = 0; change < UNANNOUNCED_CHANGES; change += 1) {
    const [counts] = await runSql(
      databaseUrl,
      `update review_counts set half_stars_1 = half_stars_1 + 1 where entry_id = ${target.id} returning review_count`,
    );
    const { body } = await send(server.url, reviewCalls(target.category).totalReviews, { params: { id: target.id } });
    if (body.totalReviews !== Number(counts?.review_count)) stale += 1;
  }
  return stale;
}

/** Waits for a status of /readyz. @returns after how many milliseconds it came; infinite when it did not */
const readyWith = (status: number, { url }: Server) =>
  timeUntil(async () => (await ask(url, 'GET', '/readyz')).status === status, SILENT_MAX_MS, ASK_AGAIN_AFTER_MS);

/** The result of dropping notifications for a while. */
interface Silence {
  /** Until /readyz said so. */
  readonly noticedMs: number;
  readonly stale: number;
  /** Until it was ready again. */
  readonly backMs: number;
}

/** Drops every notification, while all queries are answered, and changes cached data. */
export async function dropNotifications(subject: Subject, proxy: PostgresProxy, databaseUrl: string): Promise<Silence> {
  proxy.dropsNotifications = true;
  const noticedMs = await readyWith(503, subject.server);
  const stale = await changeUnannounced(subject, databaseUrl);
  proxy.dropsNotifications = false;
  return { noticedMs, stale, backMs: await readyWith(200, subject.server) };
}

/** @returns how many reads are stale while a product without heartbeats gets no notifications */
export async function missesChanges(fault: Fault): Promise<number> {
  await using database = await startPostgres();
  using place = await openPostgresPlace(database);
  const { postgres } = place.address;
  using proxy = await openProxy(postgres);
  const population = await populate(place.address, { targets: 1, accounts: 1 });
  const server = await startServer({ env: { ...place.env, DATABASE_LISTEN_URL: proxy.url }, fault });
  const { stale } = await dropNotifications({ server, population }, proxy, postgres);
  await server.kill();
  return stale;
}
