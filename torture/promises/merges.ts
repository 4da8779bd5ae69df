import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { insertUser, insertUsers } from '../../src/server/accounts/queries.ts';
import { openSession, signToken } from '../../src/server/accounts/sessions.ts';
import type { Database } from '../../src/server/database/database.ts';
import { type DatabaseAddress, openDatabase } from '../../src/server/database/open.ts';
import { digestTables } from '../../src/server/database/table-rows.ts';
import { insertEntries } from '../../src/server/entries/queries.ts';
import { insertReviews } from '../../src/server/reviews/queries.ts';
import { insertSaved } from '../../src/server/saved-schools/queries.ts';
import { insertSchool } from '../../src/server/schools/queries.ts';
import { NO_PASSWORD } from '../../src/server/security/passwords.ts';
import { openKeys } from '../../src/server/security/secrets.ts';
import { startPostgres } from '../../tests/support/postgres.ts';
import { ask } from '../http.ts';
import { inspect } from '../inspect.ts';
import { TOKEN_SECRET } from '../population.ts';
import { count, type Finding, type Promised } from '../promise.ts';
import { type Fault, type Start, startServer } from '../server.ts';

const KILLS = 20;
const CONTROL_KILLS = 5;

/** Each school has as many entries, all with the same names in both; every entry is reviewed by as many people. */
const ENTRIES = 10;
const PEOPLE = 500;
const REVIEWS = ENTRIES * PEOPLE;
/** They have saved both schools. */
const SAVERS = 100;
/** Half-stars that a review can give. */
const HALF_STARS = 10;

/** The statements of a merge that name what it leaves, from the first lock on to the audit entry. */
const MERGING = 'merged|saved_schools|delete from "schools"|audit_entries';

/** Two schools, on an engine of their own. */
interface Place {
  readonly env: NonNullable<Start['env']>;
  readonly address: DatabaseAddress;
  readonly token: string;
  readonly from: number;
  readonly into: number;
  remove(): Promise<void>;
}

async function addReviews(
  database: Database,
  schoolId: number,
  userIdsOf: (entry: number) => readonly number[],
  createdAt: number,
): Promise<void> {
  const [category] = CATEGORIES;
  if (!category) throw new Error('There is no category.');
  const entries = Array.from({ length: ENTRIES }, (_, index) => ({
    ...{ category, name: `Entry ${index}`, description: 'For tests.' },
  }));
  const ids = await database.write((db) => insertEntries(db, schoolId, entries));
  for (const [index, entryId] of ids.entries()) {
    const reviews = userIdsOf(index).map((userId, place) => ({
      ...{ entryId, schoolId, userId, username: null, review: 'As expected.', createdAt },
      halfStars: 1 + (place % HALF_STARS),
    }));
    await database.write((db) => insertReviews(db, reviews));
  }
}

/** Two schools with as many reviews each; those who wrote of the first entry did so of both. */
async function populate(address: DatabaseAddress): Promise<{ token: string; from: number; into: number }> {
  const database = await openDatabase(address);
  const now = Date.now();
  try {
    const users = Array.from({ length: 2 * PEOPLE }, (_, index) => ({
      ...{ username: `reviewer-${index}`, email: `reviewer-${index}@example.org`, passwordHash: NO_PASSWORD },
      createdAt: now,
    }));
    const ids = await database.write((db) => insertUsers(db, users));
    const [some, others] = [ids.slice(0, PEOPLE), ids.slice(PEOPLE)];
    const add = (schoolName: string) =>
      database.write((db) => insertSchool(db, { schoolName, description: 'For tests.', location: 'Testland' }));
    const [from, into] = [(await add('First')).id, (await add('Second')).id];
    await addReviews(database, from, () => some, now - 1);
    await addReviews(database, into, (entry) => (entry === 0 ? some : others), now);
    await database.write(async (db) => {
      for (const id of some.slice(0, SAVERS))
        for (const schoolId of [from, into]) await insertSaved(db, id, schoolId, now);
    });
    const admin = { username: 'admin', email: 'admin@example.org', passwordHash: NO_PASSWORD, verifiedAt: now };
    const sessionId = await database.write(async (db) => {
      const id = await insertUser(db, { ...admin, isAdmin: true }, now);
      return openSession(db, id as number, now);
    });
    const row = await database.read.selectFrom('users').selectAll().where('username', '=', 'admin').executeTakeFirst();
    if (!row) throw new Error('There is no admin.');
    return { token: await signToken(openKeys(TOKEN_SECRET, '').token, sessionId, row, now), from, into };
  } finally {
    await database.close();
  }
}

async function openPlace(address: DatabaseAddress, dataDir: string): Promise<Place> {
  const url: Record<string, string> = 'postgres' in address ? { DATABASE_URL: address.postgres } : {};
  return {
    ...(await populate(address)),
    env: { DATA_DIR: dataDir, TOKEN_SECRET, ...url },
    address,
    remove: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

const newFolder = () => mkdtempSync(path.join(os.tmpdir(), 'school-reviews-torture-'));

function openSqlitePlace(): Promise<Place> {
  const dataDir = newFolder();
  return openPlace({ sqlite: path.join(dataDir, 'school-reviews.sqlite') }, dataDir);
}

let databases = 0;

async function openPostgresPlace(url: (name: string) => string): Promise<Place> {
  databases += 1;
  const name = `merged_${databases}`;
  const client = new pg.Client(url('postgres'));
  await client.connect();
  await client.query(`create database ${name}`).finally(() => client.end());
  return openPlace({ postgres: url(name) }, newFolder());
}

/** What a merge changes, as one hash. */
async function stateOf({ address }: Place): Promise<string> {
  const database = await openDatabase(address);
  try {
    // What a start and a session change by themselves.
    const { sessions: _sessions, throttles: _throttles, outbox: _outbox, ...rest } = await digestTables(database.read);
    return createHash('sha256').update(JSON.stringify(rest)).digest('hex');
  } finally {
    await database.close();
  }
}

const merge = (url: string, { from, into, token }: Place) =>
  ask(url, 'POST', '/auth/mergeSchools', { token, body: { from, into } });

interface Tally {
  killed: number;
  /** What was left in part. */
  readonly halves: string[];
}

/** Kills the server before each of the first statements of a merge, and looks at what is left. */
async function killAtEach(place: Place, times: number, fault: Fault): Promise<Tally> {
  const tally: Tally = { killed: 0, halves: [] };
  const before = await stateOf(place);
  for (let statement = 1; statement <= times; statement += 1) {
    const env = { ...place.env, DIES_AT: String(statement), DIES_COUNTING: MERGING };
    const server = await startServer({ env, fault });
    await merge(server.url, place).catch(() => {});
    // One that is not killed has merged: the next statement would be none of a merge.
    const end = await Promise.race([
      server.exit,
      fetch(`${server.url}/healthz`).then(
        () => 'alive',
        () => server.exit,
      ),
    ]);
    if (end === 'SIGKILL') tally.killed += 1;
    await server.kill();
    const isWhole = (await stateOf(place)) === before;
    const faults = await inspect(place.address);
    if (!isWhole || faults.length > 0) {
      tally.halves.push(`statement ${statement}${faults.length > 0 ? `: ${faults[0]}` : ''}`);
      break;
    }
  }
  return tally;
}

interface Merged {
  ms: number;
  readonly faults: string[];
}

/** Merges without a kill, while somebody reads, and compares what is there with what must be. */
async function mergeWhole(place: Place): Promise<Merged> {
  const { from, into } = place;
  const server = await startServer({ env: place.env });
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
    const { status } = await merge(server.url, place);
    const ms = performance.now() - began;
    reading.abort();
    await read;
    if (status !== 200) faults.push(`the merge was answered ${status}`);
    if ((await totalOf()) !== all) faults.push(`${await totalOf()} reviews in place of ${all}`);
    const page = await fetch(`${server.url}/school/${from}`, { redirect: 'manual' });
    if (page.status !== 301 || page.headers.get('location') !== `/school/${into}`) faults.push('no redirect');
    if ((await merge(server.url, place)).status !== 404) faults.push('merged twice');
    return { ms, faults: [...faults, ...(await findMissing(place)), ...(await inspect(place.address))] };
  } finally {
    await server.kill();
  }
}

/** Receipts and savers that are not as many as there must be. */
async function findMissing({ address, from, into }: Place): Promise<string[]> {
  const database = await openDatabase(address);
  try {
    const receipts = await database.read
      .selectFrom('review_events')
      .select('id')
      .where('event', '=', 'merged')
      .execute();
    const saved = await database.read.selectFrom('saved_schools').select('school_id').execute();
    const isSaved = saved.length === SAVERS && saved.every(({ school_id }) => school_id === into && school_id !== from);
    return [
      ...(receipts.length === PEOPLE ? [] : [`${receipts.length} receipts in place of ${PEOPLE}`]),
      ...(isSaved ? [] : [`${saved.length} saved schools in place of ${SAVERS}`]),
    ];
  } finally {
    await database.close();
  }
}

const describe = ({ killed, halves }: Tally) =>
  `${count(killed, 'merges killed')}, ${halves.length === 0 ? 'none left in part' : `left in part at ${halves[0]}`}`;

async function attemptOn(on: string, open: () => Promise<Place>, times: number): Promise<Finding> {
  const place = await open();
  const tally = await killAtEach(place, times, 'dies-at-statement');
  const merged = await mergeWhole(place);
  await place.remove();
  const broken = await open();
  // Enough for one of them to be after something is written.
  const control = await killAtEach(broken, Math.min(Math.max(times, 3), CONTROL_KILLS), 'merges-without-transaction');
  await broken.remove();
  const whole = merged.faults.length === 0 ? 'all as promised, 0 readers saw half' : `faults: ${merged.faults[0]}`;
  return {
    on,
    promised: `two schools of ${REVIEWS.toLocaleString('en')} reviews, ${PEOPLE} people in both: ${KILLS} kills inside the merge leave all as it was; then counts, receipts, redirects, saved schools`,
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
    const server = await startPostgres();
    try {
      return [
        await attemptOn('SQLite', openSqlitePlace, times),
        await attemptOn('PostgreSQL', () => openPostgresPlace((name) => server.url(name)), times),
      ];
    } finally {
      await server.stop();
    }
  },
};
