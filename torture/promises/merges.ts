import { createHash } from 'node:crypto';
import { CATEGORIES } from '../../src/contract/categories.ts';
import type { Database } from '../../src/server/database/database.ts';
import type { DatabaseAddress } from '../../src/server/database/open.ts';
import { digestTables } from '../../src/server/database/table-rows.ts';
import { insertEntries } from '../../src/server/entries/queries.ts';
import { insertReviews } from '../../src/server/reviews/queries.ts';
import { insertSaved } from '../../src/server/schools/saved/queries.ts';
import { withDatabase } from '../../tests/support/with-database.ts';
import { findDatabaseFaults } from '../database-faults.ts';
import { ask } from '../http.ts';
import { type OpenPlace, onEachEngine, type Place } from '../places.ts';
import { addAdmin, addSchool, addUsers } from '../population.ts';
import { count, type Finding, type Promised } from '../promise.ts';
import { type Fault, startServer } from '../server.ts';

/** The tables that a merge writes to. A start only reads them. */
const TABLES = [
  ...['helpful_marks', 'moderation_items', 'reports', 'appeals', 'review_events', 'held_hides', 'reviews'],
  ...['relation_counts', 'review_counts', 'entries', 'entry_schools', 'saved_schools', 'proposals', 'schools'],
  ...['alias_keys', 'merged_schools', 'audit_entries'],
];
const MERGING = `^\\s*(with pairs .*\\s+)?(insert into|update|delete from) "?(${TABLES.join('|')})\\b`;

/** One before each statement by which a merge writes. */
const KILLS = 37;
/** Enough kills for one of them to come after something is written. */
const CONTROL_KILLS = 10;

/** The entries of each school, with the same names in both, and the reviewers of each entry. */
const ENTRIES = 10;
const PEOPLE = 500;
/** How many reviews one school has. */
const REVIEWS = ENTRIES * PEOPLE;
/** How many people have saved both schools. */
const SAVERS = 100;
/** Half-stars that a review can give. */
const HALF_STARS = 10;

/** Two schools, and the token of an admin who can merge them. */
interface TwoSchools {
  readonly token: string;
  readonly from: number;
  readonly into: number;
}

async function addReviews(
  database: Database,
  schoolId: number,
  userIdsOf: (entry: number) => readonly number[],
  createdAt: number,
): Promise<void> {
  const [category] = CATEGORIES;
  if (!category) throw new Error('There is no category.');
  const entries = Array.from({ length: ENTRIES }, (_, index) => {
    return { category, schoolId, name: `Entry ${index}`, description: 'For tests.' };
  });
  const ids = await database.write((db) => insertEntries(db, entries));
  for (const [index, entryId] of ids.entries()) {
    const reviews = userIdsOf(index).map((userId, place) => {
      const halfStars = 1 + (place % HALF_STARS);
      return { entryId, schoolId, userId, username: null, halfStars, review: 'As expected.', createdAt };
    });
    await database.write((db) => insertReviews(db, reviews));
  }
}

/** Two schools with the same number of reviews; the same people reviewed the first entry of both. */
async function addTwoSchools(address: DatabaseAddress): Promise<TwoSchools> {
  const now = Date.now();
  return withDatabase(address, async (database) => {
    const ids = await addUsers(database, 'reviewer', 2 * PEOPLE);
    const [some, others] = [ids.slice(0, PEOPLE), ids.slice(PEOPLE)];
    const from = await database.write((db) => addSchool(db, 'First'));
    const into = await database.write((db) => addSchool(db, 'Second'));
    await addReviews(database, from, () => some, now - 1);
    await addReviews(database, into, (entry) => (entry === 0 ? some : others), now);
    await database.write(async (db) => {
      for (const id of some.slice(0, SAVERS))
        for (const schoolId of [from, into]) await insertSaved(db, id, schoolId, now);
    });
    return { token: await addAdmin(database), from, into };
  });
}

interface Site extends Place, TwoSchools {}

/** A hash of all data that a merge can change. */
async function stateOf({ address }: Site): Promise<string> {
  return withDatabase(address, async (database) => {
    // The hash leaves out what a start and a session change by themselves.
    const digest = await digestTables(database.read);
    const { sessions: _sessions, throttles: _throttles, outbox: _outbox, site_days: _days, ...rest } = digest;
    return createHash('sha256').update(JSON.stringify(rest)).digest('hex');
  });
}

const merge = (url: string, { from, into, token }: Site) =>
  ask(url, 'POST', '/auth/mergeSchools', { token, body: { from, into } });

interface Tally {
  killed: number;
  /** What was left in part. */
  readonly halves: string[];
}

/** Kills the server before each of the first statements of a merge, and looks at what is left. */
async function killAtEach(site: Site, times: number, fault: Fault): Promise<Tally> {
  const tally: Tally = { killed: 0, halves: [] };
  const before = await stateOf(site);
  for (let statement = 1; statement <= times; statement += 1) {
    const env = { ...site.env, DIES_AT: String(statement), DIES_COUNTING: MERGING };
    const server = await startServer({ env, fault });
    await merge(server.url, site).catch(() => {});
    // A server that is not killed has merged: a merge has no more statements.
    const end = await Promise.race([
      server.exit,
      fetch(`${server.url}/healthz`).then(
        () => 'alive',
        () => server.exit,
      ),
    ]);
    if (end === 'SIGKILL') tally.killed += 1;
    await server.kill();
    const isWhole = (await stateOf(site)) === before;
    const faults = await findDatabaseFaults(site.address);
    if (!isWhole || faults.length > 0) {
      tally.halves.push(`statement ${statement}${faults.length > 0 ? `: ${faults[0]}` : ''}`);
      break;
    }
  }
  return tally;
}

interface MergeOutcome {
  ms: number;
  readonly faults: string[];
}

/** Merges without a kill, while somebody reads, and compares what is there with what must be. */
async function mergeWhole(site: Site): Promise<MergeOutcome> {
  const { from, into } = site;
  const server = await startServer({ env: site.env });
  const faults: string[] = [];
  const all = 2 * REVIEWS - PEOPLE;
  const totalOf = async () => (await ask(server.url, 'GET', `/auth/getSchoolSummary/${into}`)).body?.totalReviews;
  try {
    const reading = new AbortController();
    const read = (async () => {
      while (!reading.signal.aborted) {
        const total = await totalOf();
        if (total !== REVIEWS && total !== all) faults.push(`a reader saw ${total} reviews`);
      }
    })();
    const began = performance.now();
    const { status } = await merge(server.url, site);
    const ms = performance.now() - began;
    reading.abort();
    await read;
    if (status !== 200) faults.push(`the merge was answered ${status}`);
    if ((await totalOf()) !== all) faults.push(`${await totalOf()} reviews in place of ${all}`);
    const page = await fetch(`${server.url}/school/${from}`, { redirect: 'manual' });
    if (page.status !== 301 || page.headers.get('location') !== `/school/${into}`) faults.push('no redirect');
    if ((await merge(server.url, site)).status !== 404) faults.push('merged twice');
    return { ms, faults: [...faults, ...(await findMissing(site)), ...(await findDatabaseFaults(site.address))] };
  } finally {
    await server.kill();
  }
}

/** Events and saved schools whose number is wrong. */
async function findMissing({ address, from, into }: Site): Promise<string[]> {
  return withDatabase(address, async (database) => {
    const events = await database.read.selectFrom('review_events').select('id').where('event', '=', 'merged').execute();
    const saved = await database.read.selectFrom('saved_schools').select('school_id').execute();
    const isSaved = saved.length === SAVERS && saved.every(({ school_id }) => school_id === into && school_id !== from);
    return [
      ...(events.length === PEOPLE ? [] : [`${events.length} events in place of ${PEOPLE}`]),
      ...(isSaved ? [] : [`${saved.length} saved schools in place of ${SAVERS}`]),
    ];
  });
}

const describe = ({ killed, halves }: Tally) =>
  `${count(killed, 'merges killed')}, ${halves.length === 0 ? 'none left in part' : `left in part at ${halves[0]}`}`;

async function openSite(open: OpenPlace): Promise<Site> {
  const place = await open();
  return { ...place, ...(await addTwoSchools(place.address)) };
}

async function attemptOn(on: string, open: OpenPlace, times: number): Promise<Finding> {
  const site = await openSite(open);
  const tally = await killAtEach(site, times, 'dies-at-statement');
  const merged = await mergeWhole(site);
  site.remove();
  const broken = await openSite(open);
  const control = await killAtEach(broken, CONTROL_KILLS, 'merges-without-transaction');
  broken.remove();
  const whole = merged.faults.length === 0 ? 'all as promised, 0 readers saw half' : `faults: ${merged.faults[0]}`;
  return {
    on,
    promised: `two schools of ${REVIEWS.toLocaleString('en')} reviews, ${PEOPLE} people in both: ${KILLS} kills inside the merge leave all as it was; then counts, events, redirects, saved schools`,
    measured: `${describe(tally)}; then merged in ${Math.round(merged.ms)} ms, ${whole}`,
    isKept: tally.killed === times && tally.halves.length === 0 && merged.faults.length === 0,
    control: `each statement committed by itself: ${describe(control)}`,
    isControlSeen: control.halves.length > 0,
  };
}

export const merges: Promised = {
  id: 'R19',
  promise: 'a merge of schools that is killed leaves nothing half',
  async attempt({ rounds }) {
    const times = rounds(KILLS);
    return onEachEngine((on, open) => attemptOn(on, open, times));
  },
};
