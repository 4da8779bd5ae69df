import { expect, openPage, test } from '../support/browser.ts';
import { category, createEntry, createSchool, createUser, postReview, unique } from '../support/rows.ts';

test.use({ database: 'writing-systems' });

test('a name from right to left does not turn the sentence in which it leads', async ({ page, product }) => {
  const name = unique('אוניברסיטת תל אביב');
  const [one, other] = [await createSchool(product, name), await createSchool(product)];
  for (const [{ id }, rating] of [
    [one, 5],
    [other, 1],
  ] as const) {
    const entry = await createEntry(product, category, id);
    for (let count = 0; count < 5; count++)
      await postReview(product, category, entry.id, await createUser(product), { rating });
  }
  await openPage(page, `/compare?ids=${one.id},${other.id}`);
  const direction = (element: Element) => getComputedStyle(element).direction;
  const sentence = page.getByText(`${name} leads`);
  expect(await sentence.evaluate(direction)).toBe('ltr');
  expect(await sentence.getByText(name).evaluate(direction)).toBe('rtl');
});

test('keys with which an input method composes a word neither search nor choose nor clear', async ({
  page,
  product,
  entry,
}) => {
  await createSchool(product, unique('東京大学'));
  for (const [address, typed] of [
    ['/dashboard', '東京'],
    [`${category.pages.list}/${entry.schoolId}`, entry.name],
  ] as const) {
    await openPage(page, address);
    const field = page.getByRole('main').getByRole('combobox').first();
    await field.fill(typed);
    await expect(page.getByRole('option').first()).toBeVisible();
    const before = page.url();
    // In Safari the composition is over by then, and only the code 229 is left.
    for (const composing of [{ isComposing: true }, { keyCode: 229 }])
      for (const key of ['ArrowDown', 'Escape', 'Enter'])
        await field.dispatchEvent('keydown', { key, bubbles: true, cancelable: true, ...composing });
    await expect(field).toHaveValue(typed);
    await expect(page.locator('[role=option][aria-selected=true]')).toHaveCount(0);
    await expect(page.getByRole('option').first()).toBeVisible();
    expect(page.url()).toBe(before);
  }
});

test('a long text from right to left does not run under the icon of the search', async ({ page }) => {
  for (const [address, role] of [
    ['/dashboard', 'combobox'],
    ['/allschools', 'searchbox'],
  ] as const) {
    await openPage(page, address);
    const field = page.getByRole('main').getByRole(role).first();
    await field.fill('جامعة');
    const { direction, paddingLeft } = await field.evaluate((input) => getComputedStyle(input));
    expect([direction, paddingLeft], address).toEqual(['rtl', '56px']);
  }
});
