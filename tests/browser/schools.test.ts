import { readFileSync } from 'node:fs';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { tags } from '../../src/server/cache/tags.ts';
import { importSchools } from '../../src/server/schools/queries.ts';
import { expect, test, whenAlive } from '../support/browser.ts';
import { createEntry, createSchool, unique } from '../support/rows.ts';

/** Real input by its path; it is not part of the project, and so neither of every clone. */
const UNIVERSITIES = new URL('../../../shared/data/world-universities.json', import.meta.url);

function readUniversities(): { name: string; country: string }[] {
  try {
    return JSON.parse(readFileSync(UNIVERSITIES, 'utf8'));
  } catch {
    // The same number of names that begin alike, where the real ones are not at hand.
    return Array.from({ length: 10_251 }, (_, index) => ({ name: `University of Place ${index}`, country: 'Nowhere' }));
  }
}

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

  test('the list opens on focus, closes after the field is left, and is loaded once', async ({ page, product }) => {
    await createSchool(product);
    const loads: string[] = [];
    page.on('request', (request) => request.url().endsWith('/auth/schools') && loads.push(request.url()));
    await page.goto('/dashboard');
    await whenAlive(page);
    const field = page.getByRole('combobox', { name: 'Search for a school' });
    await field.focus();
    await expect(page.getByRole('option').first()).toBeVisible();
    await field.blur();
    await expect(page.getByRole('option')).toHaveCount(0);
    await field.pressSequentially('sch');
    await expect(page.getByRole('option').first()).toBeVisible();
    expect(loads).toHaveLength(1);
  });

  test('a school shows what it says of itself and seven tiles that lead on', async ({ page, product }) => {
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

  for (const category of CATEGORIES) {
    test(`the list of ${category.label} leads to the reviews of each item`, async ({ page, product }) => {
      const school = await createSchool(product);
      await page.goto(`${category.pages.list}/${school.id}`);
      await expect(page.getByText(/has been added for this school yet/)).toBeVisible();
      const entry = await createEntry(product, category, school.id);
      await page.goto(`${category.pages.list}/${school.id}`);
      await page.getByRole('link', { name: entry.name }).click();
      await expect(page).toHaveURL(`${category.pages.reviews}/${entry.id}`);
    });
  }

  test('ten thousand schools fill the grid without filling the page, and the search stays at five', async ({
    page,
    product,
  }) => {
    const rows = readUniversities().map(({ name, country }, index) => ({
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
    await page.getByLabel('Filter').fill('universi');
    await expect(page.getByText(/^[\d,]+ schools$/)).toBeVisible();
    await page.getByLabel('Filter').fill('no such school anywhere');
    await expect(page.getByText('No schools found')).toBeVisible();
    await page.getByLabel('Filter').fill('');
    await page.keyboard.press('End');
    const link = page.getByRole('main').getByRole('listitem').first().getByRole('link');
    const name = (await link.locator('span').last().textContent()) ?? '';
    await link.click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await page.goto('/dashboard');
    await page.getByRole('combobox').fill('univ');
    await expect(page.getByRole('option')).toHaveCount(5);
  });
});
