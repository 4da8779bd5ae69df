import { expect, test } from 'vitest';
import { CALLS } from '../../src/contract/calls.ts';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { ALL_PAGES } from '../../src/contract/pages.ts';
import { FLAGS, NAMES, WORDS } from '../support/names-table.ts';

/** Calls of a category in the order of the columns of the table. */
function callsOf(stem: (typeof NAMES)[number]): string[] {
  return [
    `GET /auth/${stem.list}/:id`,
    `POST /auth/${stem.post}`,
    `PUT /auth/${stem.put}`,
    `DELETE /auth/${stem.delete}/:id`,
    `GET /auth/${stem.lookup}/:id`,
    `GET /auth/${stem.reviews}/:id`,
    `GET /auth/${stem.average}/:id`,
    `GET /auth/${stem.total}/:id`,
    `POST /auth/${stem.postReview}`,
    `PUT /auth/${stem.putReview}`,
    `DELETE /auth/${stem.deleteReview}/:id`,
    `GET /auth/${stem.mine}/:id`,
    `GET /auth/${stem.leaderboard}`,
  ];
}

const described = CALLS.map(({ method, path }) => `${method} ${path}`);

test.each(NAMES)('$label has the calls that the specification names', (row) => {
  expect(described).toEqual(expect.arrayContaining(callsOf(row)));
});

test.each(NAMES)('$label has the pages that the specification names', (row) => {
  const paths = ALL_PAGES.map(({ path }) => path);
  const expected = [row.page, row.reviewPage, row.adminPage, row.adminReviewPage].map((path) => `${path}/:id`);
  expect(paths).toEqual(expect.arrayContaining(expected));
});

test.each(NAMES)('$label has its fields and words', (row) => {
  const category = CATEGORIES.find(({ label }) => label === row.label);
  expect(WORDS.map((word) => category?.[word])).toEqual(WORDS.map((word) => row[word]));
  expect(FLAGS.map((flag) => category?.[flag] ?? false)).toEqual(FLAGS.map((flag) => row[flag]));
});

test('the categories of the specification stand in the order of the table', () => {
  const specified = NAMES.map(({ label }) => label);
  expect(CATEGORIES.map(({ label }) => label).filter((label) => specified.includes(label))).toEqual(specified);
});

test('every page and its guard, to be read once when it changes', () => {
  const pages = ALL_PAGES.filter(({ category }) => !category || category === CATEGORIES[0]);
  expect(pages.map(({ path, guard }) => `${path}${guard ? ` (${guard})` : ''}`)).toMatchSnapshot();
});
