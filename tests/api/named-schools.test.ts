import { beforeAll, expect, test } from 'vitest';
import { ALL_SCHOOLS, isShape } from '../support/all-schools.ts';
import { call } from '../support/call.ts';
import { findUnnamed, shapeOf } from '../support/named-schools.ts';
import { CASES } from '../support/plan-cases.ts';
import { startSite } from '../support/plan-site.ts';
import { captureQueries } from '../support/plans.ts';
import { ENGINES } from '../support/product.ts';

const EXCEPTIONS = Object.values(ALL_SCHOOLS).flat();

/** PostgreSQL; SQLite in `npm test -- --quick`. */
const engine = ENGINES.at(-1) ?? 'sqlite';

let shapes: Set<string>;
let unnamed: string[];

beforeAll(async () => {
  const site = await startSite(engine);
  const texts = new Set<string>();
  // No process remembers the school of a review that was never there, whatever ran before in this one.
  const findNothing = async () => {
    expect((await call(site.product, 'GET /auth/getReview/999999999')).status).toBe(404);
  };
  for (const act of [...CASES.map((one) => one.act), findNothing]) {
    for (const { text } of await captureQueries(() => act(site))) texts.add(text);
  }
  await site.stop();
  shapes = new Set([...texts].map(shapeOf));
  unnamed = [...new Set([...texts].filter((text) => findUnnamed(text).length > 0).map(shapeOf))];
}, 120_000);

test('every statement about entries, reviews and their tables names the school, or is one about all schools', () => {
  expect(shapes.size).toBeGreaterThan(300);
  expect(unnamed.filter((shape) => !EXCEPTIONS.some((exception) => isShape(exception, shape)))).toEqual([]);
});

// Some exceptions are for statements that only PostgreSQL gets.
test.skipIf(engine === 'sqlite')('every exception is needed', () => {
  expect(EXCEPTIONS.filter((exception) => !unnamed.some((shape) => isShape(exception, shape)))).toEqual([]);
});

test.each([
  ['select id from reviews where id = $1', ['reviews', 'all']],
  ['select id from "reviews" where "id" = $1 and "school_id" = $2', []],
  ['select id from reviews where id = $1 and review = (select school_id from schools)', ['reviews', 'all']],
  ['select r.id from reviews as r join entries as e on e.id = r.entry_id where r.school_id = $1', ['entries']],
  ['select r.id from reviews as r join entries as e on e.school_id = r.school_id where r.school_id = ?', []],
  ['select r.id from reviews as r join entries as e on e.school_id = r.school_id where r.id = ?', ['all']],
  ['select 1 from entries where school_id = $1 and exists (select 1 from reviews where entry_id = 5)', ['reviews']],
  ['update reviews set school_id = $1 where id = $2', ['reviews', 'all']],
  ['delete from reports where review_id = $1', ['reports', 'all']],
  ['insert into reports (review_id, user_id) values ($1, $2)', ['reports']],
  ['insert into reports (review_id, school_id) values ($1, $2)', []],
  ['select id from schools where id = $1', []],
])('a statement that leaves the school open is told from others: %s', (text, found) => {
  expect(findUnnamed(text)).toEqual(found);
});
