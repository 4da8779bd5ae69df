import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { CATEGORIES, findCategory } from '../../src/contract/categories.ts';
import { type Answer, call } from '../support/call.ts';
import { runCommand } from '../support/command.ts';
import { ENGINES, type Product } from '../support/product.ts';
import { exportSite, generateSource, importSite, newPlace, type Place, startOn } from '../support/site-copy.ts';

const SCHOOLS = 2_000;
const PAIRS = ENGINES.flatMap((from) => ENGINES.map((to) => [from, to] as const));

/** How many addresses are asked for at once. */
const AT_ONCE = 4;

/** The addresses of every school, of the lists of every twentieth, and of all about the entries of every fiftieth. */
async function addressesOf({ app }: Product): Promise<string[]> {
  const { read } = app.database;
  const schools = await read.selectFrom('schools').select('id').orderBy('id').execute();
  const entries = await read.selectFrom('entries').select(['id', 'kind', 'school_id']).orderBy('id').execute();
  const everyNth = (n: number) => new Set(schools.filter((_, index) => index % n === 0).map(({ id }) => id));
  const [some, few] = [everyNth(20), everyNth(50)];
  return [
    ...['/auth/schools', '/auth/getSchoolFigures', '/auth/getSchoolTotals', '/auth/getRemovals', '/sitemap.xml'],
    ...CATEGORIES.flatMap(({ kind, calls }) => [`/auth/${calls.leaderboard}`, `/auth/getRanking?category=${kind}`]),
    ...schools.flatMap(({ id }) => [`/auth/getSchool/${id}`, `/auth/getSchoolSummary/${id}`]),
    ...[...some].flatMap((id) => CATEGORIES.map(({ calls }) => `/auth/${calls.list}/${id}`)),
    ...entries.flatMap(({ id, kind, school_id }) => {
      const calls = findCategory(kind)?.calls;
      if (!calls || !few.has(school_id)) return [];
      const ofEntry = [calls.nameLookup, calls.details, calls.averageRating, calls.totalReviews, calls.reviews];
      return [
        ...ofEntry.map((name) => `/auth/${name}/${id}`),
        ...[`/auth/getEntrySummary/${id}`, `/feeds/entry/${id}.atom`, `/badges/entry/${id}.svg`],
      ];
    }),
  ];
}

/** Asks again while a busy machine sheds load. */
async function patientCall(product: Product, address: string): Promise<Answer> {
  for (;;) {
    const answer = await call(product, `GET ${address}`);
    if (answer.status !== 503) return answer;
  }
}

/** The hash of each public answer: its status, links and bytes. */
async function answersOf(product: Product): Promise<Map<string, string>> {
  const addresses = await addressesOf(product);
  const answers = new Map<string, string>();
  for (let from = 0; from < addresses.length; from += AT_ONCE) {
    const asked = addresses.slice(from, from + AT_ONCE).map(async (address) => {
      const { status, text, headers } = await patientCall(product, address);
      expect([address, status]).toEqual([address, 200]);
      const parts = JSON.stringify([headers.get('link'), text.replaceAll(product.url, '')]);
      answers.set(address, createHash('sha256').update(parts).digest('hex'));
    });
    await Promise.all(asked);
  }
  return answers;
}

async function answersAt(place: Place, more: Record<string, string> = {}): Promise<Map<string, string>> {
  const product = await startOn(place, more);
  try {
    return await answersOf(product);
  } finally {
    await product.stop();
  }
}

describe(`a site with ${SCHOOLS} schools`, () => {
  const sources: Partial<Record<string, Place>> = {};
  let expected: Map<string, string>;

  async function carry(from: Place, to: Place): Promise<void> {
    const { file, secret } = await exportSite(from);
    const { code, stderr } = await importSite(to, file, secret);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  }

  beforeAll(async () => {
    sources.sqlite = await generateSource(8_000, { schools: SCHOOLS, entries: 1 });
    expected = await answersAt(sources.sqlite);
    if (!ENGINES.includes('postgres')) return;
    sources.postgres = await newPlace('postgres');
    await carry(sources.sqlite, sources.postgres);
  }, 120_000);

  test.each(PAIRS)(
    'answers the same, byte for byte, when it is taken from %s to %s',
    async (from, to) => {
      const [source, target] = [sources[from], await newPlace(to)];
      if (!source) throw new Error('There is no source.');
      await carry(source, target);
      expect((await runCommand('check', [], target.env)).code).toBe(0);
      const answers = await answersAt(target);
      expect(answers.size).toBeGreaterThan(2 * SCHOOLS);
      expect(answers).toEqual(expected);
    },
    120_000,
  );
});
