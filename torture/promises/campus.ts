import { setTimeout } from 'node:timers/promises';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { categoryPages, PAGES, pageAddress } from '../../src/contract/pages.ts';
import { SORTS } from '../../src/contract/review-filters.ts';
import type { DatabaseAddress } from '../../src/server/database/open.ts';
import { countedEntries } from '../../src/server/visibility/count-queries.ts';
import type { Answer } from '../../tests/support/call.ts';
import { withDatabase } from '../../tests/support/with-database.ts';
import { ask } from '../http.ts';
import { openSqlitePlace } from '../places.ts';
import { count, type Promised, randomBetween } from '../promise.ts';
import { startServer, succeed } from '../server.ts';

const READERS = 500;
/** A reader opens a page every minute. */
const PAGE_SECONDS = 60;
const ARRIVAL_SECONDS = 120;
const SECONDS = 180;
/** Every fifth reader is here for the first time, and loads scripts, styles and fonts too. */
const NEW_EVERY = 5;
const REVIEWS = 100_000;
/** How many expensive pages one reader requests until the control gives up: fewer than the requests of a minute. */
const COSTLY_MAX = 2_500;
const AT_ONCE = 4;
const HOT_ENTRIES = 130;
const STARS = ['1', '2', '3', '4', '5'];

interface Entry {
  readonly id: number;
  readonly schoolId: number;
  readonly category: Category;
}

/** The entries with reviews, those with the most first. */
async function listEntries(address: DatabaseAddress): Promise<Entry[]> {
  return withDatabase(address, async (database) => {
    const rows = await countedEntries(database.read)
      .select(['entry_id as id', 'school_id as schoolId', 'kind'])
      .orderBy('review_count', 'desc')
      .execute();
    return rows.flatMap(({ id, schoolId, kind }) =>
      CATEGORIES.filter((category) => category.kind === kind).map((category) => ({ id, schoolId, category })),
    );
  });
}

const unescapeAddress = (address = '') => address.replaceAll('&#38;', '&');
const addressesIn = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([, found]) => unescapeAddress(found));

/** The pages that a reader opens one after another: the landing page, a school, a category of it, and an entry. */
function choosePages(entries: readonly Entry[]): string[] {
  // Some entries are read more than others.
  const chosen = entries[Math.floor(entries.length * Math.random() ** 2)] as Entry;
  const { category, schoolId, id } = chosen;
  const { list, reviews } = categoryPages(category);
  return [
    PAGES.landing.path,
    pageAddress(PAGES.school, schoolId),
    pageAddress(list, schoolId),
    pageAddress(reviews, id),
  ];
}

type Ask = (path: string) => Promise<Answer>;

/** Opens one page after another, each as a document with all of its reads: more expensive than following links. */
async function read(send: Ask, entries: readonly Entry[], isNew: boolean, deadline: number): Promise<void> {
  await setTimeout(randomBetween(0, ARRIVAL_SECONDS * 1_000));
  let isFirst = true;
  for (const page of choosePages(entries)) {
    if (performance.now() > deadline) return;
    const { text } = await send(page);
    const assets = isFirst && isNew ? addressesIn(text, /(?:src|href)="(\/assets\/[^"]+)"/g) : [];
    const reads = addressesIn(text, /rel="preload" as="fetch" crossorigin="anonymous" href="([^"]+)"/g);
    await Promise.all([...assets, ...reads].map(send));
    if (isFirst)
      for (const typed of ['uni', 'univ', `univer${randomBetween(1, 99)}`])
        await send(`/auth/searchSchools?limit=20&q=${typed}`);
    isFirst = false;
    await setTimeout(randomBetween(PAGE_SECONDS / 2, PAGE_SECONDS * 1.5) * 1_000);
  }
}

/** The filtered addresses of the most reviewed pages, each of which is rendered when it is first asked for. */
function listCostlyPages(entries: readonly Entry[]): string[] {
  const filters = SORTS.slice(1).flatMap((sort) => [{ sort }, ...STARS.map((stars) => ({ sort, stars }))]);
  const hot = entries.slice(0, HOT_ENTRIES);
  return filters.flatMap((query) =>
    hot.map(({ category, id }) => pageAddress(categoryPages(category).reviews, id, query)),
  );
}

/** Requests one expensive page after another until refused. @returns how many were requested, and the refusal */
async function repeatCostly(send: Ask, entries: readonly Entry[]) {
  const pages = listCostlyPages(entries).slice(0, COSTLY_MAX);
  let asked = 0;
  let refusal: Answer | undefined;
  const askOn = async () => {
    for (let page = pages[asked]; page !== undefined && !refusal; page = pages[asked]) {
      asked += 1;
      const answer = await send(page);
      if (answer.status !== 200) refusal ??= answer;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askOn));
  return { asked, refusal };
}

/** Processor time of uncached answers so far, in milliseconds. */
async function processorTime(url: string): Promise<number> {
  const { text } = await ask(url, 'GET', '/metrics');
  const values = [...text.matchAll(/^http_answer_processor_seconds_total\{.*\} (\S+)$/gm)];
  return values.reduce((sum, [, seconds]) => sum + Number(seconds), 0) * 1_000;
}

export const campus: Promised = {
  id: 'R21',
  promise: 'a campus behind one address reads, and nobody there makes the site work without end',
  async attempt({ say, rounds }) {
    const readers = rounds(READERS);
    using place = openSqlitePlace();
    const size = ['--schools', '2000', '--entries', '3', '--reviews', String(REVIEWS)];
    await succeed('generate', size, { env: place.env });
    const entries = await listEntries(place.address);
    const server = await startServer({ env: { ...place.env, RATE_LIMIT: 'on', LOG_LEVEL: 'error' } });
    let requests = 0;
    const refused = new Map<number, number>();
    const send: Ask = async (path) => {
      requests += 1;
      const answer = await ask(server.url, 'GET', path);
      if (answer.status >= 400) refused.set(answer.status, (refused.get(answer.status) ?? 0) + 1);
      return answer;
    };
    const before = await processorTime(server.url);
    const deadline = performance.now() + SECONDS * 1_000;
    await Promise.all(
      Array.from({ length: readers }, (_, reader) => read(send, entries, reader % NEW_EVERY === 0, deadline)),
    );
    const spent = (await processorTime(server.url)) - before;
    const all = [...refused].map(([status, times]) => `${times} of ${status}`).join(', ') || 'none refused';
    say(`${count(requests, 'requests')}, ${all}, ${Math.round(spent)} ms`);
    const { asked, refusal } = await repeatCostly((path) => ask(server.url, 'GET', path), entries);
    await server.kill();
    const after = Number(refusal?.headers.get('retry-after'));
    return [
      {
        promised: `${READERS} readers who come within ${ARRIVAL_SECONDS} s to a cold cache and open a page a minute: nothing is refused`,
        measured: `${count(readers, 'readers')}, ${count(requests, 'requests')}, ${all}; ${(spent / readers).toFixed(1)} ms of processor time each, ${Math.round(spent / SECONDS)} ms a second`,
        isKept: refused.size === 0,
        control: `filtered pages one after another: ${refusal?.status} after ${count(asked, 'requests')}, Retry-After ${after} s`,
        isControlSeen: refusal?.status === 429 && after > 0,
      },
    ];
  },
};
