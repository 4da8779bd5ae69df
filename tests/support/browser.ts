import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type axe from 'axe-core';
import { type BrowserContext, test as base, expect, type Locator, type Page, type Route } from 'playwright/test';
import { createApp } from '../../src/server/app.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import { recordCoverage, setTestFinder } from './coverage.ts';
import { category, createEntry, createUser, PASSWORD, type RunningProduct, type TestUser } from './rows.ts';

export { expect };

/** What the browser writes to the console when a request is refused: no failure, because many tests provoke that. */
const PROVOKED = /Failed to load resource/;

interface TestFixtures {
  /** Fails the test that caused an error in the console, in a script, or against the content policy, in any context. */
  watchContext: (context: BrowserContext) => Promise<void>;
  /** Opens a page in a context of its own: for somebody else, or on another product. */
  newPage: (on?: Pick<RunningProduct, 'url'>) => Promise<Page>;
  user: TestUser;
  admin: TestUser;
  /** Of a school of its own. */
  entry: Awaited<ReturnType<typeof createEntry>>;
}

interface ProductFixtures {
  /** Test files that count rows ask for a database of their own. */
  database: string;
  product: RunningProduct;
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}

type Products = Map<string, ReturnType<typeof startBuilt>>;

/** Starts the built product on an empty database. */
export async function startBuilt(database: string, env: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), `school-reviews-browser-${database}-`));
  const dataDir = join(folder, 'data');
  const settings = readSettings({ DATA_DIR: dataDir, RATE_LIMIT: 'off', LOG_LEVEL: 'error', ...env });
  const app = await createApp({ settings });
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 });
  await app.start();
  const stop = async () => {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, app, dataDir, clock: { ahead: 0 }, stop };
}

/**
 * The built product, one for each worker and database. Another database needs no other worker: that would start a
 * browser and load the whole server anew.
 */
export const productTest = base.extend<ProductFixtures, { products: Products }>({
  database: ['shared', { option: true }],
  products: [
    // Playwright requires a destructuring pattern as the first parameter, also of a fixture that needs nothing.
    async ({ playwright: _ }, use) => {
      const products: Products = new Map();
      await use(products);
      for (const started of products.values()) await (await started).stop();
    },
    { scope: 'worker' },
  ],
  product: async ({ database, products }, use) => {
    const started = products.get(database) ?? startBuilt(database);
    products.set(database, started);
    await use(await started);
  },
});

/** The built product, in a browser where every console error fails the test. */
export const test = productTest.extend<TestFixtures>({
  baseURL: async ({ product }, use) => use(product.url),
  watchContext: [
    async ({ context }, use, { file, titlePath }) => {
      const noise: string[] = [];
      const watch = async (one: BrowserContext) => {
        await one.addInitScript(() => {
          addEventListener('securitypolicyviolation', (event) => console.error(`policy: ${event.violatedDirective}`));
        });
        one.on('console', (message) => {
          if (message.type() === 'error' && !PROVOKED.test(message.text())) noise.push(message.text());
        });
        one.on('weberror', (error) => noise.push(String(error.error())));
        one.on('page', (page) =>
          page.on('framenavigated', (frame) => {
            const what = `page ${URL.parse(frame.url())?.pathname}`;
            if (frame === page.mainFrame()) recordCoverage(what);
          }),
        );
      };
      setTestFinder(() => ({ file, title: titlePath.slice(1).join(' > ') }));
      await watch(context);
      await use(watch);
      expect(noise).toEqual([]);
    },
    { auto: true },
  ],
  newPage: async ({ browser, product, watchContext }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (on = product) => {
      const context = await browser.newContext({ baseURL: on.url });
      contexts.push(context);
      await watchContext(context);
      return context.newPage();
    });
    for (const context of contexts) await context.close();
  },
  user: async ({ product }, use) => use(await createUser(product)),
  admin: async ({ product }, use) => use(await createUser(product, { isAdmin: true })),
  entry: async ({ product }, use) => use(await createEntry(product, category)),
});

/** Signs a page in before its next document loads anything, in place of whoever was signed in. */
export async function seedToken(page: Page, token: string): Promise<void> {
  await page.addInitScript((value) => {
    // Only once: after a logout in the test the session must not come back.
    const key = `seeded ${value.slice(-16)}`;
    if (sessionStorage.getItem(key)) return;
    sessionStorage.setItem('token', value);
    sessionStorage.setItem(key, 'yes');
  }, token);
}

/** A notice with this text in it: `alert` for failures, `status` for successes. */
export function notice(page: Page, role: 'alert' | 'status', text: string | RegExp) {
  return page.getByRole(role).filter({ hasText: text });
}

/** Opens the side menu. @returns its navigation */
export async function openMenu(page: Page) {
  await page.getByRole('button', { name: 'Menu' }).click();
  return page.getByRole('navigation');
}

/** Waits until the page is hydrated: before that a link loads another document. */
export async function whenHydrated(page: Page): Promise<void> {
  await expect(page.locator('#root[data-rendered]')).toHaveCount(0);
}

/** Opens an address, and waits until its page is hydrated. */
export async function openPage(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await whenHydrated(page);
}

/** Holds back the answers of an address. @returns a function that lets them go */
export async function holdBack(
  page: Page,
  address: string | RegExp,
  answer = (route: Route): Promise<void> => route.continue(),
): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await held.promise;
    await answer(route);
  });
  return held.resolve;
}

/** Lets the next request to an address arrive, and loses the answer. */
export async function loseAnswer(page: Page, address: string | RegExp): Promise<void> {
  await page.route(
    address,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
}

/** Opens an address whose scripts are delayed. @returns a function that lets them arrive, and waits for the hydration */
export async function openUnhydrated(page: Page, address: string): Promise<() => Promise<void>> {
  const deliver = await holdBack(page, /\/assets\/.*\.js$/);
  await page.goto(address, { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  return async () => {
    deliver();
    await whenHydrated(page);
  };
}

/** Opens an address as `openPage` does, as somebody who is signed in. @returns the page */
export async function openAs(page: Page, { token }: { token: string }, address: string): Promise<Page> {
  await seedToken(page, token);
  await openPage(page, address);
  return page;
}

/**
 * Expects something once a page has given up. The page tries a read of a server in trouble three times, in 3 s. This
 * time is skipped, for which the page's clock must be installed.
 */
export async function expectAfterRetries(page: Page, check: (options: { timeout: number }) => Promise<void>) {
  await expect(async () => {
    await page.clock.fastForward(2_000);
    await check({ timeout: 300 });
  }).toPass();
}

/** The button with exactly this name. */
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Fills the fields with exactly these labels. */
export async function fillIn(form: Page | Locator, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await form.getByLabel(label, { exact: true }).fill(value);
}

/** Types the password of every test user into these fields. */
export const fillPasswords = (page: Page, labels: readonly string[]) =>
  fillIn(page, Object.fromEntries(labels.map((label) => [label, PASSWORD])));

/** Logs in on a page that shows the form. */
export async function logIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await fillIn(page, { Email: email, Password: password });
  await button(page, 'Login').click();
}

/** Ends every session of a user behind the browser's back. */
export function endSessions(product: RunningProduct, { id }: TestUser) {
  return product.app.database.write((db) => db.deleteFrom('sessions').where('user_id', '=', id).execute());
}

/** Chooses a rating. A press while early events are replayed takes effect only a moment later. */
export async function chooseStars(form: Page | Locator, stars: number): Promise<void> {
  const star = form.getByRole('radio', { name: `${stars} stars`, exact: true });
  await whenHydrated(star.page());
  await star.check();
}

/** Fills in the form of a review, up to the click that sends it. */
export async function writeReview(form: Page | Locator, stars: number, text: string): Promise<void> {
  await chooseStars(form, stars);
  await form.getByLabel('Your review').fill(text);
}

/** Presses "Show more reviews" until all of them are shown. */
export async function showAllReviews(page: Page): Promise<void> {
  const more = button(page, 'Show more reviews');
  await whenHydrated(page);
  while (await more.isVisible()) {
    await more.click();
    await expect(more.and(page.locator('[aria-busy]'))).toHaveCount(0);
  }
}

/** The row of a table that has this text. */
export const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

export const SCHEMES = ['light', 'dark'] as const;

/** Half of what `axe.source` is. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of axe that look at colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Expects that axe finds nothing in a page as it is now, in either colour scheme. Only colours depend on the scheme:
 * the page is loaded once for both, and the other rules look once. The page is left in the light scheme.
 * @param what names the page in the failure
 */
export async function expectAxeClean(page: Page, what = ''): Promise<void> {
  // Half a megabyte of code, so each document gets it once.
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(AXE);
  for (const colorScheme of SCHEMES.toReversed()) {
    await page.emulateMedia({ colorScheme });
    const rules = colorScheme === 'dark' ? COLOUR_RULES : undefined;
    const found = await page.evaluate(async (rules) => {
      // During an animation axe would see colours on their way from one scheme to the other.
      // Animations are ended, not waited for: a browser that draws no frames never ends them, and some go on for ever.
      for (const animation of document.getAnimations()) {
        if (animation.effect?.getComputedTiming().endTime === Infinity) animation.cancel();
        else animation.finish();
      }
      // Without `resultTypes` axe would also describe every element that has no fault.
      const { violations } = await window.axe.run({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    }, rules);
    expect(found, `${what} ${colorScheme}`).toEqual([]);
  }
}
