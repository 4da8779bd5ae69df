import type { Page } from 'playwright/test';
import {
  endSessions,
  expect,
  logIn,
  notice,
  openMenu,
  openPage,
  seedToken,
  test,
  whenHydrated,
} from '../support/browser.ts';
import { category, createEntry, createUser, signIn, type TestUser } from '../support/rows.ts';

/** Another tab of the same browser. */
const newTab = (page: Page) => page.context().newPage();

async function tabOf(page: Page, { token }: Pick<TestUser, 'token'>, address: string): Promise<Page> {
  const tab = await newTab(page);
  await seedToken(tab, token);
  await openPage(tab, address);
  return tab;
}

const tokenIn = (page: Page) => page.evaluate(() => sessionStorage.getItem('token'));

async function expectVisitor(page: Page): Promise<void> {
  await whenHydrated(page);
  await expect((await openMenu(page)).getByRole('link', { name: 'Login' })).toBeVisible();
  await page.keyboard.press('Escape');
}

const countAsked = (page: Page) =>
  page.evaluate(() => {
    const seen: string[] = [];
    const channel = new BroadcastChannel('session');
    channel.onmessage = ({ data }) => seen.push(data.kind);
    Object.assign(window, { seen });
  });

const seenBy = (page: Page) => page.evaluate((): string[] => Reflect.get(window, 'seen'));

test.describe('tabs of one browser', () => {
  test('a new tab takes the session over, also at a guarded page', async ({ page, user }) => {
    const first = await tabOf(page, user, '/about');
    const second = await newTab(page);
    await second.goto('/myreviews');
    await expect(second.getByText('You have not written a review yet.')).toBeVisible();
    expect(await tokenIn(second)).toBe(user.token);
    await second.close();
    const third = await newTab(page);
    await openPage(third, '/about');
    await expect.poll(() => tokenIn(third)).toBe(user.token);
    await expect((await openMenu(third)).getByRole('link', { name: 'Profile' })).toBeVisible();
    await first.close();
  });

  test('a new tab takes the session of the tab that was used last', async ({ page, product, user }) => {
    const other = await createUser(product);
    const [one, two] = [await tabOf(page, user, '/about'), await tabOf(page, other, '/about')];
    for (const [tab, token] of [
      [one, user.token],
      [two, other.token],
      [one, user.token],
    ] as const) {
      await tab.keyboard.press('Shift');
      const fresh = await newTab(page);
      await openPage(fresh, '/about');
      await expect.poll(() => tokenIn(fresh)).toBe(token);
      await fresh.close();
    }
    expect([await tokenIn(one), await tokenIn(two)]).toEqual([user.token, other.token]);
  });

  test('a visitor’s tab shows the login of another tab, and keeps what it had', async ({ page, user }) => {
    await openPage(page, '/signup');
    await page.getByLabel('Username').fill('half a name');
    const other = await newTab(page);
    await openPage(other, '/login');
    await logIn(other, user.email);
    await expect(other).toHaveURL('/dashboard');
    await expect(page.getByText(`You are signed in as ${user.username}.`)).toBeVisible();
    await expect(page.getByLabel('Username')).toHaveValue('half a name');
    expect(await tokenIn(page)).toBe(await tokenIn(other));
  });

  test('a visitor’s tab asks again when it is shown', async ({ page, user }) => {
    await openPage(page, '/about');
    const other = await newTab(page);
    await openPage(other, '/about');
    // The other tab signs in without a message to the first, as if the first had been frozen.
    await other.evaluate((token) => sessionStorage.setItem('token', token), user.token);
    await other.reload();
    await whenHydrated(other);
    expect(await tokenIn(page)).toBeNull();
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect.poll(() => tokenIn(page)).toBe(user.token);
  });

  test('logging out by choice signs out the tabs with the same session, which ask no more', async ({
    page,
    product,
    user,
  }) => {
    const other = await createUser(product);
    const [leaving, same, different] = [
      await tabOf(page, user, '/about'),
      await tabOf(page, user, '/profile'),
      await tabOf(page, other, '/about'),
    ];
    await (await openMenu(leaving)).getByRole('button', { name: 'Logout' }).click();
    await expect(leaving).toHaveURL('/dashboard');
    await expect(leaving.getByText('Log in to see that page.')).toHaveCount(0);
    await expect(same).toHaveURL('/dashboard');
    await expect(same.getByText('Log in to see that page.')).toBeVisible();
    expect(await tokenIn(different)).toBe(other.token);
    await countAsked(different);
    for (const tab of [leaving, same]) {
      await tab.reload();
      await tab.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await expectVisitor(tab);
      expect(await tokenIn(tab)).toBeNull();
    }
    await different.keyboard.press('Shift');
    await openPage(same, '/login');
    await logIn(same, user.email);
    await expect(same).toHaveURL('/dashboard');
    expect(await seenBy(different)).not.toContain('who is signed in?');
    // The tab that logged out by choice does not follow the login of another tab either.
    expect(await tokenIn(leaving)).toBeNull();
  });

  test('a logout in another tab is told where somebody was signed in, and nowhere else', async ({
    page,
    product,
    user,
  }) => {
    const entry = await createEntry(product, category);
    const [leaving, writing] = [
      await tabOf(page, user, '/about'),
      await tabOf(page, user, `${category.pages.reviews}/${entry.id}`),
    ];
    const visiting = await newTab(page);
    // It has logged out before, and so takes no session over.
    await visiting.addInitScript(() => sessionStorage.setItem('asksNoMore', 'yes'));
    await openPage(visiting, '/about');
    await writing.getByLabel('Your review').fill('Half a review.');
    await (await openMenu(leaving)).getByRole('button', { name: 'Logout' }).click();
    await expect(notice(writing, 'alert', 'You logged out in another tab.')).toBeVisible();
    await expect(writing.getByLabel('Your review')).toHaveValue('');
    await expect(leaving).toHaveURL('/dashboard');
    for (const tab of [leaving, visiting]) await expect(tab.getByText('You logged out in another tab.')).toHaveCount(0);
  });

  test('a refused token is not handed on, nor taken again', async ({ page, product, user }) => {
    const [refused, unaware] = [await tabOf(page, user, '/about'), await tabOf(page, user, '/about')];
    await endSessions(product, user);
    await openPage(refused, '/profile');
    await expect(notice(refused, 'alert', 'Your session has ended.')).toBeVisible();
    expect(await tokenIn(unaware)).toBe(user.token);
    const fresh = await newTab(page);
    await fresh.goto('/profile');
    await expect(fresh).toHaveURL('/dashboard');
    await refused.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await fresh.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expectVisitor(fresh);
    expect([await tokenIn(refused), await tokenIn(fresh)]).toEqual([null, null]);
  });

  test('a guarded page waits for an answer for at most 300 ms', async ({ page }) => {
    const silent = await newTab(page);
    await openPage(silent, '/about');
    await countAsked(silent);
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.goto('/profile');
    await expect.poll(() => seenBy(silent)).toContain('who is signed in?');
    await page.clock.runFor(300);
    await expect(page).toHaveURL('/dashboard');
  });

  test('a guarded page does not wait for tabs that do not answer, and shows a late answer when it comes', async ({
    page,
    product,
    user,
  }) => {
    await page.goto('/profile');
    await expect(page.getByText('Log in to see that page.')).toBeVisible();
    const late = await newTab(page);
    await openPage(late, '/about');
    const token = await signIn(product, user.id);
    await late.evaluate(
      (own) => new BroadcastChannel('session').postMessage({ kind: 'signed in', token: own, usedAt: Date.now() }),
      token,
    );
    await expect.poll(() => tokenIn(page)).toBe(token);
    await expect(page.getByText('Log in to see that page.')).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Go to your profile' })).toBeVisible();
  });
});
