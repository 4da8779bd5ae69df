import type { Page } from 'playwright/test';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { importSchools } from '../../src/server/data/imports/school-queries.ts';
import { changes, tags } from '../../src/server/http/cache/tags.ts';
import { insertSchool } from '../../src/server/schools/queries.ts';
import { expect, holdBack, openPage, test } from '../support/browser.ts';
import { readRealUniversities } from '../support/real-names.ts';
import { createEntry, createSchool, createUser, postReview, unique } from '../support/rows.ts';

const OF_ALL = `of ${CATEGORIES.length} categories`;

test.describe('finding a school', () => {
  test('the search suggests at most five, in any case, and goes where one is chosen', async ({ page, product }) => {
    const mark = unique('Suggest');
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) await createSchool(product, `${mark} ${name}`);
    await page.goto('/dashboard');
    const field = page.getByRole('combobox', { name: 'Search for a school' });
    await field.fill(mark.toLowerCase());
    await expect(page.getByRole('option')).toHaveCount(5);
    await field.fill(`${mark.toUpperCase()} SI`);
    await expect(page.getByRole('option')).toHaveText([`${mark} Six`]);
    await field.fill(`${mark} nowhere`);
    await expect(page.getByText('No schools found')).toBeVisible();
    await field.fill('');
    await expect(page.getByRole('option')).toHaveCount(5);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('option')).toHaveCount(0);
    await field.fill(`${mark} Two`);
    await page.getByRole('option').click();
    await expect(page.getByRole('heading', { level: 1, name: `${mark} Two` })).toBeVisible();
  });

  test('suggestions of one name are told apart by their countries, and no other is', async ({ page, product }) => {
    const mark = unique('Twin');
    for (const [schoolName, location] of [
      [`${mark} A`, 'Riga, Latvia'],
      [`${mark} A`, 'Lima, Peru'],
      [`${mark} B`, 'Oslo, Norway'],
    ] as const) {
      await product.app.database.write(async (db, commit) => {
        commit.invalidate(...changes.schoolsAdded);
        await insertSchool(db, { schoolName, location, description: 'One of two.' });
      });
    }
    for (const path of ['/dashboard', '/tos']) {
      await page.goto(path);
      await page.getByRole('combobox', { name: 'Search for a school' }).fill(mark);
      await expect(page.getByRole('option')).toHaveText([`${mark} ALatvia`, `${mark} APeru`, `${mark} B`]);
    }
  });

  test('the list opens on focus, closes after the field is left, and is loaded once', async ({ page, product }) => {
    await createSchool(product);
    const loads: string[] = [];
    page.on('request', (request) => request.url().endsWith('/auth/schools') && loads.push(request.url()));
    await openPage(page, '/dashboard');
    const field = page.getByRole('combobox', { name: 'Search for a school' });
    await field.focus();
    await expect(page.getByRole('option').first()).toBeVisible();
    await field.blur();
    await expect(page.getByRole('option')).toHaveCount(0);
    await field.pressSequentially('sch');
    await expect(page.getByRole('option').first()).toBeVisible();
    expect(loads).toHaveLength(1);
  });

  test('a school shows what it says of itself and tiles that lead on', async ({ page, product }) => {
    const school = await createSchool(product);
    await page.goto(`/school/${school.id}`);
    await expect(page.getByText(school.description)).toBeVisible();
    await expect(page.getByText(school.location)).toBeVisible();
    for (const { label, pages } of CATEGORIES) {
      await expect(page.getByRole('main').getByRole('link', { name: label })).toHaveAttribute(
        'href',
        `${pages.list}/${school.id}`,
      );
    }
    await product.app.database.write(async (db, commit) => {
      commit.invalidate(tags.school(school.id));
      await db.updateTable('schools').set({ description: '', location: '' }).where('id', '=', school.id).execute();
    });
    await page.goto(`/school/${school.id}`);
    await expect(page.getByText('No description yet.')).toBeVisible();
    await expect(page.getByText('Location not given')).toBeVisible();
  });

  test('a school says in figures, windows and words where it is reviewed, and what is missing first', async ({
    page,
    product,
    request,
  }) => {
    const [first, second, third] = CATEGORIES as [Category, Category, Category];
    const school = await createSchool(product);
    const address = `/school/${school.id}`;
    await page.goto(address);
    const row = (category: Category) =>
      page.getByRole('main').getByRole('listitem').filter({ hasText: category.label });
    await expect(row(first)).toContainText('Not yet rated');
    await expect(page.getByText(`Reviewed in 0 ${OF_ALL}`)).toBeVisible();
    const nobody = page.getByText(`Nobody has written about ${school.schoolName} yet. Light the first window.`);
    await expect(nobody).toBeVisible();
    await expect(page.getByText('needs more recent')).toHaveCount(0);
    const post = async (category: Category, ratings: readonly number[]) => {
      const entry = await createEntry(product, category, school.id);
      for (const rating of ratings)
        await postReview(product, category, entry.id, await createUser(product), { rating });
    };
    await post(first, [5, 4, 4]);
    await post(third, [2]);
    await page.goto(address);
    await expect(nobody).toHaveCount(0);
    await expect(page.getByText('3.8 · 4 reviews')).toBeVisible();
    await expect(row(first)).toContainText('4.3 · 3 reviews');
    await expect(row(second)).toContainText('Not yet rated');
    await expect(row(third)).toContainText('2.0 · 1 review');
    const words = `Covered by recent reviews: ${first.label}. Some reviews: ${third.label}. No reviews yet: ${second.label}`;
    await expect(page.getByRole('img', { name: words })).toBeVisible();
    await expect(page.getByText(`Reviewed in 1 ${OF_ALL} · ${second.label} needs more recent`)).toBeVisible();
    expect(await (await request.get(address)).text()).toContain(`Reviewed in 1 ${OF_ALL}`);
    await page.getByRole('link', { name: 'write one' }).click();
    await expect(page).toHaveURL(`${second.pages.list}/${school.id}#write`);
    await expect(page.getByRole('combobox', { name: second.question })).toBeFocused();
  });

  test('a school whose answer is late shows the name at once to whoever comes from a list, and nothing jumps', async ({
    page,
    product,
  }) => {
    const { id, schoolName } = await createSchool(product);
    await page.goto('/tos');
    const letGo = await holdBack(page, /auth.getSchool/);
    await page.getByRole('combobox', { name: 'Search for a school' }).fill(schoolName);
    await page.getByRole('option').click();
    const heading = page.getByRole('heading', { level: 1, name: schoolName });
    await expect(heading).toBeFocused();
    await expect(page).toHaveURL(`/school/${id}`);
    const before = await heading.boundingBox();
    // What stands below a description of unknown length comes with it.
    await expect(page.getByText('Reviews by category')).toHaveCount(0);
    letGo();
    await expect(page.getByText('Reviews by category')).toBeVisible();
    expect(await heading.boundingBox()).toEqual(before);
    await expect(heading).toBeFocused();
  });

  test('a long description shows its first lines and the rest at the press of a button', async ({ page, product }) => {
    const school = await createSchool(product);
    await openPage(page, `/school/${school.id}`);
    await expect(page.getByRole('button', { name: 'more' })).toHaveCount(0);
    const description = `${'A sentence that says little. '.repeat(40)}See https://example.org/prospectus`;
    await product.app.database.write(async (db, commit) => {
      commit.invalidate(tags.school(school.id));
      await db.updateTable('schools').set({ description }).where('id', '=', school.id).execute();
    });
    await openPage(page, `/school/${school.id}`);
    const text = page.getByRole('paragraph').filter({ hasText: 'A sentence that says little.' });
    const height = async () => (await text.boundingBox())?.height ?? 0;
    const more = page.getByRole('button', { name: 'more' });
    await expect(more).toHaveAttribute('aria-expanded', 'false');
    const cut = await height();
    await more.click();
    const less = page.getByRole('button', { name: 'less' });
    await expect(less).toHaveAttribute('aria-expanded', 'true');
    expect(await height()).toBeGreaterThan(cut * 2);
    await less.click();
    await expect(more).toBeFocused();
    expect(await height()).toBe(cut);
    // What has the focus is never hidden.
    await page.getByRole('link', { name: 'https://example.org/prospectus' }).focus();
    await expect(less).toBeVisible();
  });

  test('a description of a few sentences is cut on a phone, and whole where there is room', async ({
    page,
    product,
  }) => {
    const { id } = await createSchool(product);
    const description = 'A sentence that says little. '.repeat(13);
    await product.app.database.write((db) =>
      db.updateTable('schools').set({ description }).where('id', '=', id).execute(),
    );
    await page.setViewportSize({ width: 1280, height: 740 });
    await openPage(page, `/school/${id}`);
    await expect(page.getByText(`Reviewed in 0 ${OF_ALL}`)).toBeVisible();
    const more = page.getByRole('button', { name: 'more' });
    await expect(more).toHaveCount(0);
    await page.setViewportSize({ width: 360, height: 740 });
    await expect(more).toBeVisible();
  });

  test('the list of each category leads to the reviews of each item', async ({ page, product }) => {
    for (const category of CATEGORIES) {
      const school = await createSchool(product);
      await page.goto(`${category.pages.list}/${school.id}`);
      const title = `${category.label} at ${school.schoolName}`;
      await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible();
      await expect(page.getByText(/has been added for this school yet/)).toBeVisible();
      const create = () => createEntry(product, category, school.id);
      const [none, one, two] = [await create(), await create(), await create()];
      await postReview(product, category, one.id, await createUser(product), { rating: 4 });
      for (const rating of [4, 2.5]) await postReview(product, category, two.id, await createUser(product), { rating });
      await page.goto(`${category.pages.list}/${school.id}`);
      const linkOf = ({ name }: { name: string }) => page.getByRole('link', { name: new RegExp(`^${name}\\b`) });
      await expect(linkOf(none)).toContainText('Not yet rated');
      await expect(linkOf(one)).toContainText('4.0 · 1 review');
      await expect(linkOf(two)).toContainText('3.3 · 2 reviews');
      await linkOf(two).click();
      await expect(page).toHaveURL(`${category.pages.reviews}/${two.id}`);
    }
  });

  test('schools stand one beside the other at 1280 and one below the other at 360, each with its country', async ({
    page,
    product,
  }) => {
    const mark = unique('Beside');
    for (const name of ['One', 'Two', 'Three']) await createSchool(product, `${mark} ${name}`);
    await openPage(page, '/allschools');
    await page.getByLabel('Search schools').fill(mark);
    const items = page.getByRole('main').getByRole('listitem');
    const shown = [`${mark} OneTestland`, `${mark} ThreeTestland`, `${mark} TwoTestland`];
    await expect(items.getByRole('link')).toHaveText(shown);
    await expect(items.first()).toHaveAttribute('aria-setsize', '3');
    const lefts = () => items.evaluateAll((all) => all.map((item) => Math.round(item.getBoundingClientRect().left)));
    const [left, right, next] = await lefts();
    expect(right).toBeGreaterThan(left ?? 0);
    expect(next).toBe(left);
    await page.setViewportSize({ width: 360, height: 740 });
    await expect.poll(async () => new Set(await lefts()).size).toBe(1);
    await expect(items).toHaveCount(3);
  });

  test('a name that runs from right to left keeps its own direction in every list', async ({ page, product }) => {
    const name = `جامعة القاهرة ${unique('(')}`;
    const { id } = await createSchool(product, name);
    await page.goto(`/school/${id}`);
    const direction = (element: Element) => getComputedStyle(element).direction;
    expect(await page.getByRole('heading', { level: 1 }).getByText(name).evaluate(direction)).toBe('rtl');
    await page.goto(`${CATEGORIES[0]?.pages.list}/${id}`);
    expect(await page.getByRole('heading', { level: 1 }).evaluate(direction)).toBe('ltr');
    expect(await page.getByRole('heading', { level: 1 }).getByText(name).evaluate(direction)).toBe('rtl');
    expect(await page.getByRole('link', { name }).getByText(name).evaluate(direction)).toBe('rtl');
  });

  test('ten thousand schools fill the grid without filling the page, and the search stays at five', async ({
    page,
    product,
  }) => {
    const rows = (await readRealUniversities()).map(({ name, country }, index) => ({
      schoolName: name,
      description: `In ${country}.`,
      location: country,
      importKey: `${index}`,
      hasSite: true,
    }));
    for (let start = 0; start < rows.length; start += 500) {
      await product.app.database.write((db, commit) => {
        commit.invalidate(tags.schools);
        return importSchools(db, rows.slice(start, start + 500));
      });
    }
    await page.goto('/allschools');
    await expect(page.getByText(/^1\d,\d{3} schools$/)).toBeVisible();
    expect(await page.getByRole('main').getByRole('listitem').count()).toBeLessThan(150);
    await page.getByRole('navigation', { name: 'Schools by letter' }).getByRole('button', { name: 'M' }).click();
    await expect(page.locator('main a:focus')).toHaveText(/^m/i);
    await expect(page.locator('main a:focus')).toBeInViewport({ ratio: 1 });
    await page.getByLabel('Search schools').fill('universi');
    await expect(page.getByText(/^[\d,]+ schools$/)).toBeVisible();
    await page.getByLabel('Search schools').fill('qzqzq xjxjx');
    await expect(page.getByText('No schools found')).toBeVisible();
    await countRemovedItems(page);
    await page.getByLabel('Search schools').fill('');
    await expect(page.getByText(/^1\d,\d{3} schools$/)).toBeVisible();
    expect(await page.evaluate(() => Number(document.body.dataset.removed))).toBeLessThan(150);
    await page.keyboard.press('End');
    const link = page.getByRole('main').getByRole('listitem').first().getByRole('link');
    const name = (await link.locator('[dir=auto]').first().textContent()) ?? '';
    await link.click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await page.goto('/dashboard');
    await page.getByRole('combobox').fill('univ');
    await expect(page.getByRole('option')).toHaveCount(5);
  });
});

/** From now on counts items that leave a list: many do when all schools are in it until the screen is measured. */
const countRemovedItems = (page: Page) =>
  page.evaluate(() => {
    document.body.dataset.removed = '0';
    new MutationObserver((records) => {
      const gone = records.flatMap(({ removedNodes }) => [...removedNodes]).filter(({ nodeName }) => nodeName === 'LI');
      document.body.dataset.removed = String(Number(document.body.dataset.removed) + gone.length);
    }).observe(document.body, { childList: true, subtree: true });
  });
