import { CATEGORIES } from '../../src/contract/categories.ts';
import { expect, openMenu, openPage, test } from '../support/browser.ts';
import { createEntry, createSchool, createUser, postReview } from '../support/rows.ts';

const [first, second] = CATEGORIES as [(typeof CATEGORIES)[number], (typeof CATEGORIES)[number]];
const last = CATEGORIES.at(-1) as (typeof CATEGORIES)[number];

/** So many reviews at once by new accounts would be left out until an admin has looked at them. */
const OLD = { age: 365 * 24 * 60 * 60_000 };

test.use({ database: 'leaderboard' });

test.describe('the leaderboard', () => {
  test('shows the five best of a category with badge, chart and two decimals', async ({ page, product }) => {
    const users = await Promise.all([createUser(product), createUser(product), createUser(product)]);
    const names: string[] = [];
    for (const rating of [5, 4.5, 4, 3.5, 3, 2.5]) {
      const school = await createSchool(product);
      names.push(school.schoolName);
      const entry = await createEntry(product, first, school.id);
      for (const user of users) await postReview(product, first, entry.id, user, { rating });
    }
    await page.goto('/leaderboard');
    await expect(page.getByRole('heading', { level: 1, name: 'University Leaderboard' })).toBeVisible();
    await expect(
      page.getByText(
        'Compare schools across different categories and see which universities rank highest in student reviews',
      ),
    ).toBeVisible();
    await expect(page.getByRole('heading', { name: `Top 5 Schools - ${first.leaderboardLabel}` })).toBeVisible();
    await expect(page.getByText('Based on student reviews and ratings')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Detailed Rankings' })).toBeVisible();
    const rows = page.getByRole('row').filter({ hasText: /\d\.\d\d/ });
    await expect(rows).toHaveCount(5);
    for (const [index, rating] of ['5.00', '4.50', '4.00', '3.50', '3.00'].entries()) {
      await expect(rows.nth(index)).toContainText(rating);
      await expect(rows.nth(index)).toContainText(names[index] ?? '');
    }
    await expect(page.getByText(names[5] ?? '')).toHaveCount(0);
    const chart = page.getByRole('img', { name: `Top 5 Schools - ${first.leaderboardLabel}, as a bar chart` });
    expect((await chart.boundingBox())?.height).toBe(350);
    const bars = chart.locator('rect.fill-accent');
    await expect(bars).toHaveCount(5);
    for (const [index, rating] of ['5.00', '4.50'].entries()) {
      await bars.nth(index).hover();
      await expect(page.getByText(`Rating: ${rating}/5.0`)).toBeVisible();
    }
    await page.getByRole('heading', { name: 'Detailed Rankings' }).hover();
    await expect(page.getByText('Rating: ')).toHaveCount(0);
  });

  test('on phones the names below the bars are whole, and long words are divided', async ({ page }) => {
    const names = [
      'Yukimachi College of Art',
      'Cerro Alto Institute of Astronomy',
      'Tussock Plains Agricultural College',
    ];
    await page.route(`**/auth/${second.calls.leaderboard}`, (route) =>
      route.fulfill({ json: names.map((schoolName) => ({ schoolName, averageRating: 4 })) }),
    );
    await page.setViewportSize({ width: 360, height: 740 });
    await openPage(page, `/leaderboard?category=${second.kind}`);
    for (const name of names) {
      const label = page.getByRole('figure').getByTitle(name);
      const sizes = await label.evaluate((element) => [
        [element.scrollWidth, element.clientWidth],
        [element.scrollHeight, element.clientHeight],
      ]);
      // Letters may reach a pixel beyond their line. What is cut is a whole line, or a part of a word.
      for (const [needed = 0, given = 0] of sizes) expect(needed, name).toBeLessThanOrEqual(given + 1);
    }
    const [, , longest = ''] = names;
    await expect(page.getByRole('figure')).toContainText(longest);
    const part = page.getByRole('figure').getByText('cul', { exact: true });
    const hyphen = await part.evaluate((element) => getComputedStyle(element, '::before').content);
    expect(hyphen).toBe('"\u00ad"');
  });

  test('an answer in any order is sorted by the page, which cuts it to five and its stars to whole ones', async ({
    page,
  }) => {
    const means = [1.2, 4.5, 4.999, 1.1, 3.74, 2.25, 0.75];
    await page.route(`**/auth/${second.calls.leaderboard}`, (route) =>
      route.fulfill({ json: means.map((averageRating) => ({ schoolName: `Mean ${averageRating}`, averageRating })) }),
    );
    await openPage(page, '/leaderboard');
    await page.getByRole('button', { name: second.leaderboardLabel, exact: true }).click();
    await expect(page.getByText('5 schools', { exact: true })).toBeVisible();
    const rows = page.getByRole('row').filter({ hasText: /\d\.\d\d/ });
    for (const [index, [mean, rating, stars]] of (
      [
        [4.999, '5.00', 4],
        [4.5, '4.50', 4],
        [3.74, '3.74', 3],
        [2.25, '2.25', 2],
        [1.2, '1.20', 1],
      ] as const
    ).entries()) {
      await expect(rows.nth(index).getByRole('rowheader')).toContainText(`Mean ${mean}`);
      await expect(rows.nth(index).getByRole('cell').last()).toHaveText(rating);
      // Each star that is filled, half or whole, is one closed outline, which ends with "z".
      const filled = await rows.nth(index).getByRole('img').locator('path').last().getAttribute('d');
      expect(filled?.match(/z/g)?.length, rating).toBe(stars);
    }
    await expect(rows).toHaveCount(5);
  });

  test('Next and Previous go round, dots and tiles go straight there', async ({ page }) => {
    await page.goto('/leaderboard');
    const expectShown = (label: string) =>
      expect(page.getByRole('heading', { name: `Top 5 Schools - ${label}` })).toBeVisible();
    await expectShown(first.leaderboardLabel);
    await page.getByRole('button', { name: 'Previous' }).click();
    await expectShown(last.leaderboardLabel);
    await page.getByRole('button', { name: 'Next' }).click();
    await expectShown(first.leaderboardLabel);
    for (const { leaderboardLabel } of CATEGORIES.slice(1)) {
      await page.getByRole('button', { name: 'Next' }).click();
      await expectShown(leaderboardLabel);
    }
    await page.getByRole('button', { name: `Clubs, 2 of ${CATEGORIES.length}` }).click();
    await expectShown(second.leaderboardLabel);
    for (const { leaderboardLabel } of CATEGORIES) {
      await page.getByRole('button', { name: leaderboardLabel, exact: true }).click();
      await expectShown(leaderboardLabel);
    }
  });

  test('weighed by number, twenty of 4.8 stand before one of 5.0, in the address and in the document as served', async ({
    page,
    product,
    request,
  }) => {
    const [few, many] = [await createSchool(product), await createSchool(product)];
    const post = async (schoolId: number, ratings: readonly number[]) => {
      const entry = await createEntry(product, last, schoolId);
      for (const rating of ratings)
        await postReview(product, last, entry.id, await createUser(product, OLD), { rating });
    };
    await post(few.id, [5]);
    await post(many.id, [...Array.from({ length: 12 }, () => 5), ...Array.from({ length: 8 }, () => 4.5)]);
    await post((await createSchool(product)).id, [1, 1.5, 2, 2.5, 3, 3.5]);
    await page.goto(`/leaderboard?category=${last.kind}`);
    const rows = page.getByRole('row').filter({ hasText: /\d\.\d\d/ });
    await expect(rows.nth(0)).toContainText(`${few.schoolName}5 stars1 review · few reviews5.00`);
    await expect(rows.nth(1)).toContainText(`${many.schoolName}4.8 stars20 reviews4.80`);
    // The window of few reviews is fainter.
    const bars = page.locator('rect.fill-accent');
    await expect(bars.nth(0)).toHaveCSS('fill-opacity', '0.6');
    await expect(bars.nth(1)).toHaveCSS('fill-opacity', '1');
    const weigh = page.getByRole('switch', { name: 'Weigh by number of reviews' });
    await expect(weigh).not.toBeChecked();
    await weigh.click();
    await expect(weigh).toBeChecked();
    const address = `/leaderboard?category=${last.kind}&order=weighted`;
    await expect(page).toHaveURL(address);
    await expect(rows.nth(0)).toContainText(many.schoolName);
    await page.getByText('How is this worked out?').click();
    // (10 * m + sum) / (10 + n), with the figures as they are written.
    for (const row of await rows.all()) {
      const name = (await row.getByRole('link').textContent()) ?? '';
      const score = (await row.getByRole('cell').last().textContent()) ?? '';
      const working =
        (await page
          .getByRole('listitem')
          .filter({ hasText: `${name}: (` })
          .textContent()) ?? '';
      const [weight = 0, prior = 0, sum = 0, again = 0, count = 0, shown = 0] = [
        ...working.slice(name.length).matchAll(/\d+(?:\.\d+)?/g),
      ].map(([figure]) => Number(figure));
      expect(again).toBe(weight);
      expect(((weight * prior + sum) / (weight + count)).toFixed(2), working).toBe(score);
      expect(shown.toFixed(2)).toBe(score);
    }
    const served = await (await request.get(address)).text();
    expect(served.indexOf(many.schoolName)).toBeLessThan(served.indexOf(few.schoolName));
    expect(served).toContain(`order=weighted">`);
    await page.getByRole('link', { name: 'How scores work' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'How scores work' })).toBeVisible();
    await expect(page).toHaveURL('/scores#weighing');
    await page.goBack();
    await expect(weigh).toBeChecked();
    await rows.nth(1).click();
    await expect(page.getByRole('heading', { level: 1, name: few.schoolName })).toBeVisible();
  });

  test('at 360 pixels its tiles take one row, and its controls one line of 44 pixels below the list', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await openPage(page, `/leaderboard?category=${last.kind}`);
    const tops = await page
      .getByRole('list', { name: 'Categories' })
      .getByRole('button')
      .evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
    const boxes = await Promise.all(
      [
        page.getByRole('button', { name: 'Previous' }),
        page.getByRole('list', { name: 'Position' }),
        page.getByRole('button', { name: 'Next' }),
      ].map((control) => control.boundingBox()),
    );
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
    expect(boxes.map((box) => box?.height)).toEqual([44, 44, 44]);
    const panel = await page.getByRole('heading', { name: /^Top 5 Schools/ }).boundingBox();
    expect(panel?.y).toBeLessThan(420);
    expect(boxes[0]?.y).toBeGreaterThan(panel?.y ?? 0);
    for (const media of ['screen', 'print'] as const) {
      await page.emulateMedia({ media });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), media).toBe(360);
    }
  });

  test('whatever a category has, Next stays where it was pressed', async ({ page, product }) => {
    const long = await createSchool(product, 'The Agricultural and Mechanical University of the Northern Territories');
    const entry = await createEntry(product, second, long.id);
    await postReview(product, second, entry.id, await createUser(product), { rating: 4 });
    // The last leaderboard loads for ever.
    await page.route(`**/auth/${last.calls.leaderboard}`, () => {});
    const next = page.getByRole('button', { name: 'Next' });
    for (const [width, height] of [
      [360, 740],
      [1280, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await openPage(page, '/leaderboard');
      const tops = new Set<number>();
      for (const { leaderboardLabel } of CATEGORIES) {
        await expect(page.getByRole('heading', { name: `Top 5 Schools - ${leaderboardLabel}` })).toBeVisible();
        // Rounded: where the page scrolls to changes the last digits.
        tops.add(Math.round(await next.evaluate((button) => button.getBoundingClientRect().top + window.scrollY)));
        await next.click();
      }
      expect([...tops], `${width}`).toHaveLength(1);
    }
  });

  test('the chosen tile can be told in forced colours', async ({ page }) => {
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto('/leaderboard');
    const outline = (element: Element) => getComputedStyle(element).outlineStyle;
    const tile = (name: string) => page.getByRole('button', { name, exact: true });
    expect(await tile(first.leaderboardLabel).evaluate(outline)).toBe('solid');
    expect(await tile(second.leaderboardLabel).evaluate(outline)).toBe('none');
    await tile(first.leaderboardLabel).press('Shift');
    await expect(tile(first.leaderboardLabel)).toHaveCSS('outline-offset', '2px');
  });

  test('while it loads it says so, and a failure shows an empty list of no schools', async ({ page }) => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(`**/auth/${first.calls.leaderboard}`, async (route) => {
      await held;
      await route.abort();
    });
    await page.goto('/leaderboard');
    await expect(page.getByText('Loading rankings...')).toBeVisible();
    answer();
    await expect(page.getByText('Loading rankings...')).toHaveCount(0);
    await expect(page.getByText('0 schools', { exact: true })).toBeVisible();
    await page.unroute(`**/auth/${first.calls.leaderboard}`);
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
    // A read that a press has begun is tried once, too.
    let tries = 0;
    await page.route(`**/auth/${second.calls.leaderboard}`, (route) => {
      tries += 1;
      return route.abort();
    });
    await page.getByRole('button', { name: 'Next' }).click();
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
    expect(tries).toBe(1);
  });

  test('it says so at every load: also of a category that was shown before', async ({ page }) => {
    const reads: PromiseWithResolvers<void>[] = [];
    await page.route(/getAllSchools\w+Average/, async (route) => {
      const read = Promise.withResolvers<void>();
      reads.push(read);
      await read.promise;
      await route.fulfill({ json: [{ schoolName: 'The only one', averageRating: 4 }] });
    });
    await page.clock.install();
    await openPage(page, '/tos');
    await (await openMenu(page)).getByRole('link', { name: 'Leader Boards' }).click();
    for (const [index, step] of ['Next', 'Previous', 'Next'].entries()) {
      await expect(page.getByText('Loading rankings...')).toBeVisible();
      await expect.poll(() => reads).toHaveLength(index + 1);
      reads[index]?.resolve();
      await expect(page.getByText('1 school', { exact: true })).toBeVisible();
      await expect(page.getByText('Loading rankings...')).toHaveCount(0);
      await page.clock.fastForward(5_000);
      await page.getByRole('button', { name: step }).click();
    }
    await expect(page.getByText('Loading rankings...')).toBeVisible();
  });
});
