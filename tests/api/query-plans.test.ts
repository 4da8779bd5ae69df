import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CASES } from '../support/plan-cases.ts';
import { EXCEPTIONS, type Exception } from '../support/plan-exceptions.ts';
import { type Site, startSite } from '../support/plan-site.ts';
import { captureQueries, type Planner, type Query, tablesOf } from '../support/plans.ts';
import { ENGINES } from '../support/product.ts';

interface Finding {
  text: string;
  reads: string;
}

const isMeant = ({ reads, text }: Exception, finding: Finding) => reads.test(finding.reads) && text.test(finding.text);

/** Indexes for statements of the version before, beside which this one runs. The next release drops them. */
const KEPT_INDEXES = ['moderation_items_open'];

/** Statements of the tests themselves that read whole tables. */
const CONTROLS: [string, RegExp[]][] = [
  ["select id from reviews where review = 'x'", [/^reviews$/]],
  ['select id from reviews order by edited_at limit 1', [/^reviews$/, /^sort$/]],
  ['select entry_id from review_counts where review_count = 7', [/^review_counts/]],
  ['select count(*) from entries', [/^entries by /]],
  ["update users set is_admin = 0 where password_hash = 'x'", [/^users$/]],
  ['delete from sessions where used_at < 5', [/^sessions$/]],
  [
    'select r.id from schools s join reviews r on r.school_id = s.id where s.id = 5',
    [/^(r|reviews)( by reviews_(newest|best)_of_entry)?$/],
  ],
  ['select id from reviews where entry_id = 5 order by created_at desc, id desc limit 5', []],
  ['select due_at from outbox order by due_at limit 1', []],
  ['select r.id from reviews r join entries e on e.id = r.entry_id order by r.created_at, r.id limit 5', []],
  ['update review_counts set half_stars_1 = 1 where entry_id = 5', []],
];

describe.each(ENGINES)('every statement is served by an index on %s', (engine) => {
  let site: Site;
  const captured = new Map<string, Query[]>();

  beforeAll(async () => {
    site = await startSite(engine);
    for (const { title, act } of CASES) captured.set(title, await captureQueries(() => act(site)));
  });
  afterAll(() => site.stop());

  /** Finds what the statements read from end to end, each of them once. */
  async function explain(queries: readonly Query[], planners: readonly Planner[]): Promise<Finding[]> {
    const found = new Map<string, Finding>();
    for (const planner of planners) {
      for (const query of queries) {
        const { text } = query;
        for (const reads of await planner.explain(query)) found.set(`${reads} ${text}`, { text, reads });
      }
    }
    return [...found.values()];
  }

  const exceptions = Object.entries(EXCEPTIONS).filter(([, exception]) => (exception.engine ?? engine) === engine);

  test.each(CASES)('$title', async ({ title, tables, isLarge }) => {
    const queries = captured.get(title) ?? [];
    expect(queries.flatMap(tablesOf)).toEqual(expect.arrayContaining(tables));
    const isAsked = ({ isForced }: Planner) => engine === 'sqlite' || isForced || isLarge === true;
    const findings = await explain(queries, site.planners.filter(isAsked));
    expect(findings.filter((finding) => !exceptions.some(([, exception]) => isMeant(exception, finding)))).toEqual([]);
  });

  test('every index without a constraint serves a statement', async () => {
    const used = new Set<string>();
    for (const planner of site.planners) {
      for (const query of [...captured.values()].flat()) {
        for (const index of await planner.listUsedIndexes(query)) used.add(index);
      }
    }
    const [planner] = site.planners as [Planner];
    const plain = await planner.listPlainIndexes();
    expect(plain.length).toBeGreaterThan(10);
    expect(plain.filter((index) => !used.has(index) && !KEPT_INDEXES.includes(index))).toEqual([]);
  });

  test('every exception is needed', async () => {
    const findings = await explain([...captured.values()].flat(), site.planners);
    const idle = exceptions.filter(
      ([, exception]) => !exception.onlyPostgres15 && !findings.some((finding) => isMeant(exception, finding)),
    );
    expect(idle.map(([reason]) => reason)).toEqual([]);
  });

  test.each(CONTROLS)('reads of whole tables are told from others: %s', async (text, expected) => {
    const forced = site.planners.filter(({ isForced }) => engine === 'sqlite' || isForced);
    for (const planner of forced) {
      const reads = (await planner.explain({ text, values: [] })).sort();
      expect(reads).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
    }
  });
});
