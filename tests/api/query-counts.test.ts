import { beforeAll, beforeEach, expect, test } from 'vitest';
import { PAGES, pageAddress } from '../../src/contract/pages.ts';
import { call } from '../support/call.ts';
import { readsInDocument } from '../support/document-reads.ts';
import { captureQueries } from '../support/plans.ts';
import { awaitNotifications } from '../support/postgres-faults.ts';
import { category, createEntry, createUser, postReview } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

describeProduct('statements for a page on %s', (product) => {
  let marked: { id: number };
  let addresses: Record<string, string>;

  beforeAll(async () => {
    marked = await createEntry(product, category);
    const entry = await createEntry(product, category);
    await postReview(product, category, entry.id, await createUser(product));
    addresses = {
      landing: PAGES.landing.path,
      'all schools': PAGES.allSchools.path,
      school: pageAddress(PAGES.school, entry.schoolId),
      leaderboard: PAGES.leaderboard.path,
      'list of a category of that school': `${category.pages.list}/${entry.schoolId}`,
      'reviews of an entry': `${category.pages.reviews}/${entry.id}`,
    };
  });
  beforeEach(async () => {
    // A notification that arrives late invalidates what a page has just read, and makes it read twice.
    await awaitNotifications(product, marked.id);
  });

  // The document is made of the answers to the calls that its page makes at once: these then cost no statement either.
  // The head of a school's page says the rating of all its reviews too, which no call answers.
  // All schools have six: the list, the voices, and four of the search, which has the figures and reads what changed.
  // A list of a category has four: its entries, the school, the summary and the voices.
  // An entry has seven: name, details, mean, number, summary, list, and the school for the head.
  test.each([
    ['landing', 0],
    ['all schools', 6],
    ['school', 5],
    ['leaderboard', 1],
    ['list of a category of that school', 4],
    ['reviews of an entry', 7],
  ])('%s: %i when it is made, none from then on', async (name, expected) => {
    const open = async () => {
      const { status, text } = await call(product, `GET ${addresses[name]}`);
      expect(status).toBe(200);
      for (const address of readsInDocument(text)) {
        expect((await call(product, `GET ${address}`)).status, address).toBe(200);
      }
    };
    expect(await captureQueries(open)).toHaveLength(expected);
    expect(await captureQueries(open)).toEqual([]);
  });
});

describeProduct('round trips of a post on %s', (product, engine) => {
  const queriesOf = async (entryId: number) => {
    const author = await createUser(product);
    const queries = await captureQueries(async () => {
      expect((await postReview(product, category, entryId, author)).status).toBe(201);
    });
    // Now and then the product looks for mails and held hides that are due.
    return queries.filter(({ text }) => !/where "due_at" <=|order by "due_at" limit/.test(text));
  };

  test.runIf(engine === 'postgres')('it waits twice, or after BEGIN and before COMMIT five times more', async () => {
    const entry = await createEntry(product, category);
    const first = await queriesOf(entry.id);
    // The session, and the statement that posts.
    expect(await queriesOf(entry.id)).toHaveLength(2);
    // The first review of an entry is posted by a transaction: the review, after BEGIN with the entry; its author, with
    // the counts of the entry; what other new accounts have posted, with whether the review replaces a reported one and
    // the number of posts; whether the review is alone; the row of the change log.
    expect(first.slice(2).filter(({ isFirst }) => isFirst)).toHaveLength(6);
    expect(first.slice(2)).toHaveLength(10);
  });
});
