import { BURST_REVIEWS } from '../../src/contract/bursts.ts';
import { expect, expectAxeClean, openPage, seedToken, test } from '../support/browser.ts';
import { call } from '../support/call.ts';
import { category, createEntry, createUser, postReview } from '../support/rows.ts';

test.use({ database: 'bursts' });

const SENTENCE = 'Unusual activity: recent reviews here are being checked.';

test('an entry that ten new accounts praise at once says so until an admin has decided about the burst', async ({
  page,
  product,
}) => {
  const admin = await createUser(product, { isAdmin: true });
  const entry = await createEntry(product, category);
  const old = await createUser(product, { age: 30 * 24 * 60 * 60_000 });
  await postReview(product, category, entry.id, old, { rating: 2 });
  for (const _ of Array(BURST_REVIEWS)) {
    await postReview(product, category, entry.id, await createUser(product), {
      rating: 5,
      review: 'The best there is.',
    });
  }

  await page.goto(`${category.pages.reviews}/${entry.id}`);
  await expect(page.getByText(SENTENCE)).toBeVisible();
  await expect(page.getByText(`${BURST_REVIEWS + 1} reviews`, { exact: true })).toBeVisible();
  await expectAxeClean(page);
  const expectMarks = async (address: string, count: number) => {
    const links = page.getByRole('link', { name: 'being checked', exact: true });
    await expect(links, address).toHaveCount(count);
    await expect(links.first(), address).toHaveAttribute('href', '/scores#left-out');
  };
  await expectMarks('the entry', 1);

  const [first] = (await call(product, `GET /auth/${category.calls.reviews}/${entry.id}`)).body;
  for (const [address, count] of [
    [`/review/${first.id}`, 1],
    // The figures of the category, and those of its entry.
    [`${category.pages.list}/${entry.schoolId}`, 2],
    [`/school/${entry.schoolId}`, 2],
    ['/allschools', 1],
  ] as const) {
    await page.goto(address);
    await expectMarks(address, count);
  }

  await page.goto(`/leaderboard?category=${category.kind}&order=weighted`);
  await page.getByText('How is this worked out?').click();
  // One review of 2 stars is all that counts, here and in the mean of the category.
  await expect(page.getByText('(10 × 2.00 + 2) ÷ (10 + 1) = 2.00')).toContainText(
    `mean 4.73; ${BURST_REVIEWS} left out while they are being checked`,
  );

  // Every figure of these reviews has the mark.
  const { schoolName } = (await call(product, `GET /auth/getSchool/${entry.schoolId}`)).body;
  const other = await createEntry(product, category);
  await postReview(product, category, other.id, old, { rating: 3 });
  await call(product, `PUT /auth/saveSchool/${entry.schoolId}`, { token: admin.token });
  await seedToken(page, admin.token);
  for (const path of [
    `/leaderboard?category=${category.kind}`,
    `/allschools?q=${schoolName}`,
    `/compare?ids=${entry.schoolId},${other.schoolId}`,
    '/profile',
  ]) {
    await openPage(page, path);
    const link = page.getByRole('link', { name: 'being checked' });
    await expect(link, path).toHaveAttribute('href', '/scores#left-out');
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      // The link stands beside others, where WCAG 2.5.8 asks for 24 pixels.
      expect((await link.boundingBox())?.height, `${path} at ${width}`).toBeGreaterThanOrEqual(24);
    }
    await expectAxeClean(page, path);
  }

  await openPage(page, '/admin');
  await expect(page.getByRole('link', { name: `${BURST_REVIEWS} reviews to decide about` })).toBeVisible();
  await page.getByRole('link', { name: 'Moderation', exact: true }).click();
  const item = page.getByRole('region', { name: 'Review to decide about' });
  await expect(item).toContainText(`${BURST_REVIEWS} reviews wait for a decision.`);
  await expect(item).toContainText('Until you keep or hide them, their reviews do not weigh in the ranking.');
  await expect(item.getByRole('list', { name: 'Reviews of the burst' }).getByRole('listitem')).toHaveCount(
    BURST_REVIEWS,
  );
  await expectAxeClean(page);
  const lines = page.getByRole('button', { name: 'Burst' });
  await expect(lines).toHaveCount(1);
  await item.getByRole('button', { name: 'Look at each' }).click();
  await expect(lines).toHaveCount(BURST_REVIEWS);
  await expect(item).toContainText('The best there is.');
  await expect(item.getByText(`1 of ${BURST_REVIEWS}`)).toBeVisible();
  await item.getByRole('button', { name: 'Hide' }).click();
  await item.getByRole('button', { name: 'Hide' }).click();
  await expect(item.getByRole('alert')).toHaveText('Please choose a reason.');
  await item.getByRole('radio', { name: 'It is fake' }).check();
  await expect(item.getByRole('alert')).toHaveCount(0);
  await item.getByRole('button', { name: 'Keep' }).click();
  await expect(lines).toHaveCount(BURST_REVIEWS - 1);

  await page.reload();
  await expect(lines).toHaveCount(1);
  await item.getByRole('button', { name: 'Keep all' }).click();
  await expect(page.getByText(`${BURST_REVIEWS - 1} reviews kept.`)).toBeVisible();
  await expect(page.getByText('Nothing to look at.')).toBeVisible();

  await page.goto(`${category.pages.reviews}/${entry.id}`);
  await expect(page.getByText(`${BURST_REVIEWS + 1} reviews`, { exact: true })).toBeVisible();
  await expect(page.getByText(SENTENCE)).toHaveCount(0);
});
