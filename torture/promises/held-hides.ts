import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CATEGORIES } from '../../src/contract/categories.ts';
import type { Connection } from '../../src/server/database/database.ts';
import { insertEntry } from '../../src/server/entries/queries.ts';
import { insertReview } from '../../src/server/reviews/queries.ts';
import { checkRemovals } from '../../src/server/reviews/removals/check.ts';
import { withDatabase } from '../../tests/support/with-database.ts';
import { findDatabaseFaults } from '../database-faults.ts';
import { ask } from '../http.ts';
import { listMails, recipientOf } from '../mails.ts';
import { type OpenPlace, onEachEngine, type Place } from '../places.ts';
import { addAdmin, addSchool, addUsers } from '../population.ts';
import { count, type Finding, type Promised, randomBetween } from '../promise.ts';
import { type Fault, type Server, startServer } from '../server.ts';
import { timeUntil } from '../waiting.ts';

/** Hidden reviews, each by an author of its own, who would be mailed. Every second one is restored in time. */
const REVIEWS = 20;
/** The statements that complete a held hide; the process is killed before each of them. */
const COMPLETING = [
  'delete from "held_hides"',
  'into "review_events"',
  '"removal(?:s|_heads)"',
  'update "(?:reports|appeals|moderation_items)"',
  'into "outbox"',
].join('|');
const KILLS = 9;
const CONTROL_KILLS = 4;
/** The longest time from the last hide to the kill. */
const KILL_AFTER_MAX_MS = 300;
const RESTART_MAX_MS = 120_000;
const LOOK_EVERY_MS = 50;
const COMPLETE_WITHIN_MS = 30_000;

interface Hidden {
  readonly id: number;
  readonly email: string;
  readonly isRestored: boolean;
}

interface Site extends Place {
  readonly token: string;
  readonly reviews: readonly Hidden[];
}

/** Adds reviews and an admin to an empty database. */
async function addReviews(place: Place): Promise<Site> {
  const now = Date.now();
  const [category] = CATEGORIES;
  if (!category) throw new Error('There is no category.');
  return withDatabase(place.address, async (database) => {
    const authorIds = await addUsers(database, 'author', REVIEWS);
    const reviews = await database.write(async (db) => {
      const schoolId = await addSchool(db);
      const { id } = await insertEntry(db, category, schoolId, { name: 'Entry', description: 'For tests.' });
      const added: Hidden[] = [];
      for (const [index, userId] of authorIds.entries()) {
        const written = { rating: 1, review: 'An advert.', username: null };
        const review = await insertReview(db, { id, schoolId }, userId, written, now);
        added.push({ id: review?.id ?? 0, email: `author-${index}@example.org`, isRestored: index % 2 === 1 });
      }
      return added;
    });
    return { ...place, token: await addAdmin(database), reviews };
  });
}

/** The number of mails that were written to each address or are queued for it. */
async function countMails(db: Connection, { dataDir }: Site): Promise<Map<string, number>> {
  const queued = await db
    .selectFrom('outbox')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['outbox.id', 'email'])
    .execute();
  const mails = new Map(queued.map(({ id, email }) => [Number(id), email]));
  for (const file of listMails(dataDir)) mails.set(Number.parseInt(path.basename(file), 10), recipientOf(file));
  const counts = new Map<string, number>();
  for (const email of mails.values()) counts.set(email, (counts.get(email) ?? 0) + 1);
  return counts;
}

/** The traces of each hide: the number of events, lines of removals and mails; and whether it is still held. */
function readTraces(site: Site) {
  return withDatabase(site.address, async ({ read: db }) => {
    const events = await db.selectFrom('review_events').select('review_id').where('event', '=', 'hidden').execute();
    const lines = await db.selectFrom('removals').select('review_id').execute();
    const held = new Set((await db.selectFrom('held_hides').select('review_id').execute()).map((row) => row.review_id));
    const mails = await countMails(db, site);
    const amount = (rows: { review_id: number }[], id: number) => rows.filter((row) => row.review_id === id).length;
    return site.reviews.map((review) => ({
      ...review,
      isHeld: held.has(review.id),
      traces: [amount(events, review.id), amount(lines, review.id), mails.get(review.email) ?? 0],
    }));
  });
}

/** Hides whose traces are incomplete, repeated, or there although the hide was undone. */
async function findWrong(site: Site): Promise<string[]> {
  const wrong = (await readTraces(site)).flatMap(({ id, isRestored, isHeld, traces }) => {
    const expected = isRestored || isHeld ? 0 : 1;
    if (traces.every((amount) => amount === expected)) return [];
    return [`review ${id}: ${traces.join(', ')} events, lines and mails in place of ${expected}`];
  });
  const chain = await withDatabase(site.address, ({ read }) => checkRemovals(read));
  return [...wrong, ...chain.faults, ...(await findDatabaseFaults(site.address))];
}

const startAll = (site: Site, fault?: Fault) =>
  // On PostgreSQL two processes work on the database: only one of them may complete each hide.
  Promise.all((site.env.DATABASE_URL ? [1, 2] : [1]).map(() => startServer({ env: site.env, fault })));

const killAll = (servers: readonly Server[]) => Promise.all(servers.map((server) => server.kill()));

async function decide(servers: readonly Server[], { token }: Site, reviews: readonly Hidden[], body: object) {
  const answers = reviews.map(({ id }, index) => {
    const { url = '' } = servers[index % servers.length] ?? {};
    return ask(url, 'PUT', `/auth/moderateReview/${id}`, { token, body });
  });
  const refused = (await Promise.all(answers)).find(({ status }) => status !== 200);
  if (refused) throw new Error(`A decision was answered ${refused.status}: ${refused.text}`);
}

/** Sets when held hides are due: starting the processes again may take a busy machine longer than they are held. */
async function setDue({ address }: Site, dueAt: number): Promise<void> {
  await withDatabase(address, ({ write }) =>
    write((db) => db.updateTable('held_hides').set({ due_at: dueAt }).execute()),
  );
}

/** Hides all reviews, kills, restores every second one, kills again, and makes the others due. */
async function hideAndRestore(site: Site): Promise<void> {
  const first = await startAll(site);
  await decide(first, site, site.reviews, { action: 'hide', reason: 'spam', isHeld: true });
  await setTimeout(randomBetween(0, KILL_AFTER_MAX_MS));
  await killAll(first);
  await setDue(site, Date.now() + RESTART_MAX_MS);
  const second = await startAll(site);
  const restored = site.reviews.filter(({ isRestored }) => isRestored);
  await decide(second, site, restored, { action: 'restore' });
  await killAll(second);
  await setDue(site, Date.now());
}

interface Tally {
  killed: number;
  readonly wrong: string[];
}

/** Kills the process before each statement that completes a hide, and looks at what is left. */
async function killInside(site: Site, times: number, fault: Fault): Promise<Tally> {
  const tally: Tally = { killed: 0, wrong: [] };
  for (let statement = 1; statement <= times && tally.wrong.length === 0; statement += 1) {
    const env = { ...site.env, DIES_AT: String(statement), DIES_COUNTING: COMPLETING };
    const ended = await startServer({ env, fault }).then(
      ({ exit }) => exit,
      // The process completes what is due as soon as it listens, and may die before it is ready.
      () => 'SIGKILL',
    );
    if (ended === 'SIGKILL') tally.killed += 1;
    tally.wrong.push(...(await findWrong(site)));
  }
  return tally;
}

/** Starts all processes, and waits until no hide is held. @returns what is wrong then */
async function complete(site: Site): Promise<string[]> {
  const servers = await startAll(site);
  try {
    const isDone = async () => (await readTraces(site)).every(({ isHeld }) => !isHeld);
    const ms = await timeUntil(isDone, COMPLETE_WITHIN_MS, LOOK_EVERY_MS);
    return Number.isFinite(ms) ? findWrong(site) : ['a hide is still held'];
  } finally {
    await killAll(servers);
  }
}

async function openSite(open: OpenPlace): Promise<Site> {
  const site = await addReviews(await open());
  await hideAndRestore(site);
  return site;
}

async function attemptOn(on: string, open: OpenPlace, times: number): Promise<Finding> {
  const site = await openSite(open);
  const tally = await killInside(site, times, 'dies-at-statement');
  const wrong = [...tally.wrong, ...(await complete(site))];
  site.remove();
  const broken = await openSite(open);
  const control = await killInside(broken, CONTROL_KILLS, 'completes-without-transaction');
  broken.remove();
  const described = (faults: readonly string[]) => (faults.length === 0 ? 'nothing wrong' : `wrong: ${faults[0]}`);
  return {
    on,
    promised: `${REVIEWS} hides held, kill -9, half of them taken back, kill -9 again, ${KILLS} kills inside the writing: of those taken back no mail, no event, no line; of the others one of each, the chain whole`,
    measured: `${REVIEWS} hides, ${REVIEWS / 2} taken back, ${count(tally.killed, 'kills')} inside: ${described(wrong)}`,
    isKept: tally.killed === times && wrong.length === 0,
    control: `each statement committed by itself: ${count(control.killed, 'kills')}, ${described(control.wrong)}`,
    isControlSeen: control.wrong.length > 0,
  };
}

export const heldHides: Promised = {
  id: 'R22',
  promise: 'a hide is told of once, or taken back without a trace, also beside kill -9',
  async attempt({ rounds }) {
    const times = Math.min(rounds(KILLS), KILLS);
    return onEachEngine((on, open) => attemptOn(on, open, times));
  },
};
