import type { Page } from 'playwright/test';
import { expect, expectAxeClean, notice, openAs, rowOf, test } from '../support/browser.ts';
import { call } from '../support/call.ts';
import { category, createEntry, createSchool, createUser, postReview } from '../support/rows.ts';

// A database of its own, because the page lists all that can be restored.
test.use({ database: 'deletions' });

async function undo(page: Page, told: string): Promise<void> {
  await expect(notice(page, 'status', told)).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).last().click();
}

test.describe('what an admin deletes', () => {
  test('comes back by Undo in the notice: a school and an entry, with its reviews', async ({ page, product }) => {
    const school = await createSchool(product);
    const entry = await createEntry(product, category, school.id);
    await postReview(product, category, entry.id, await createUser(product));
    await openAs(page, await createUser(product, { isAdmin: true }), '/adminschool');
    const schoolRow = rowOf(page, school.schoolName);
    await schoolRow.getByRole('button', { name: 'Delete' }).click();
    await expect(schoolRow).toHaveCount(0);
    await expect(notice(page, 'status', `${school.schoolName} was deleted.`)).toBeVisible();
    await page.getByLabel('School name').focus();
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect(notice(page, 'status', `${school.schoolName} is back.`)).toBeVisible();
    await expect(page.getByLabel('School name')).toBeFocused();
    await expect(schoolRow).toHaveCount(1);

    await page.goto(`${category.pages.adminEntries}/${school.id}`);
    const entryRow = rowOf(page, entry.name);
    await entryRow.getByRole('button', { name: 'Delete' }).click();
    await expect(entryRow).toHaveCount(0);
    await undo(page, `${entry.name} was deleted.`);
    await expect(notice(page, 'status', `${entry.name} is back.`)).toBeVisible();
    await entryRow.getByRole('link', { name: entry.name }).click();
    await expect(page.getByRole('row')).toHaveCount(2);
  });

  test('is listed under Moderation and restored there by keyboard, the school before its entry', async ({
    page,
    product,
  }) => {
    const admin = await createUser(product, { isAdmin: true });
    const school = await createSchool(product);
    const entry = await createEntry(product, category, school.id);
    await postReview(product, category, entry.id, await createUser(product));
    await openAs(page, admin, '/moderation');
    await page.getByRole('link', { name: 'Recently deleted' }).click();
    await expect(page).toHaveURL(/\/moderation\?state=deleted$/);
    await expect(page.getByText('Nothing to bring back.')).toBeVisible();

    for (const path of [`${category.calls.remove}/${entry.id}`, `deleteSchool/${school.id}`]) {
      await call(product, `DELETE /auth/${path}`, { token: admin.token });
    }
    await page.reload();
    const list = page.getByRole('region', { name: 'Recently deleted' });
    const items = list.getByRole('listitem');
    await expect(items).toHaveCount(2);
    await expect(items.first()).toContainText(
      new RegExp(`${school.schoolName}School · 0 reviews · deleted by ${admin.username}`),
    );
    await expect(items.last()).toContainText(new RegExp(`${entry.name}Entry · 1 review · deleted by`));
    await expectAxeClean(page);

    await items.last().getByRole('button', { name: 'Restore' }).click();
    const refused = 'The school of this entry is deleted too. Restore the school first.';
    await expect(notice(page, 'alert', refused)).toBeVisible();
    for (const name of [school.schoolName, entry.name]) {
      const restore = items.filter({ hasText: name }).getByRole('button', { name: 'Restore' });
      await expect(restore).toHaveAccessibleDescription(name);
      await restore.press('Enter');
      // The second time the focus moves on while the request runs, and stays there.
      if (name === entry.name) await page.getByRole('link', { name: 'Open', exact: true }).focus();
      await expect(notice(page, 'status', `${name} is back.`)).toBeVisible();
      if (name === school.schoolName) await expect(list).toBeFocused();
    }
    await expect(page.getByText('Nothing to bring back.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Open', exact: true })).toBeFocused();
    expect((await call(product, `GET /auth/${category.calls.totalReviews}/${entry.id}`)).body).toEqual({
      totalReviews: 1,
    });
  });

  test('is told to the authors of its reviews, who can withdraw them meanwhile', async ({ page, product, entry }) => {
    const [admin, author] = [await createUser(product, { isAdmin: true }), await createUser(product)];
    await postReview(product, category, entry.id, author);
    await call(product, `DELETE /auth/${category.calls.remove}/${entry.id}`, { token: admin.token });
    await openAs(page, author, '/myreviews');
    await expect(page.getByText('An admin deleted the page of this review.')).toBeVisible();
    await expect(page.getByRole('link', { name: entry.name })).toHaveCount(0);
    await expectAxeClean(page);
    await page.getByRole('button', { name: 'Delete your review' }).press('Enter');
    await page.getByRole('button', { name: 'Keep it' }).and(page.locator(':focus')).press('Enter');
    await page.getByRole('button', { name: 'Delete your review' }).and(page.locator(':focus')).press('Enter');
    await expect(page.getByRole('button', { name: 'Keep it' })).toBeFocused();
    await page.getByRole('button', { name: 'Yes, delete it' }).click();
    await expect(page.getByText('You have not written a review yet.')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await call(product, 'POST /auth/restoreDeleted', { token: admin.token, body: { kind: 'entry', id: entry.id } });
    expect((await call(product, `GET /auth/${category.calls.totalReviews}/${entry.id}`)).body).toEqual({
      totalReviews: 0,
    });
  });
});
