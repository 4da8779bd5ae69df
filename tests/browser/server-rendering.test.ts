import { createHash } from 'node:crypto';
import { reviewCalls } from '../../src/contract/reviews.ts';
import { insertSchool } from '../../src/server/schools/queries.ts';
import { expect, holdBack, notice, openPage, productTest, test, whenHydrated } from '../support/browser.ts';
import { category, createEntry, createSchool, createUser, postReview } from '../support/rows.ts';

const ACCOUNT_PAGES = ['/login', '/signup', '/forgot', '/verify', '/change'];
const NASTY = `<b style="color: red">bold</b> "' & </div><script>throw 1</script>`;

test.describe('server-rendered pages', () => {
  test.describe('without the code of the page', () => {
    test.use({ javaScriptEnabled: false });

    test('say what they are about, in links that lead on, and show no control that would not answer', async ({
      page,
      product,
    }) => {
      const school = await createSchool(product);
      const entry = await createEntry(product, category, school.id);
      await page.goto(`/school/${school.id}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(school.schoolName);
      await expect(page.getByText(school.description)).toBeVisible();
      await expect(page.getByRole('button')).toHaveCount(0);
      await page.getByRole('main').getByRole('link', { name: category.label }).click();
      await page.getByRole('link', { name: entry.name }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Student ${entry.name} Reviews`);
      await expect(page.getByRole('textbox')).toHaveCount(0);
      await expect(page.getByRole('button')).toHaveCount(0);
      await expect(page.getByRole('heading', { name: 'Write a Review' })).toHaveCount(0);
    });

    test('draw the email of their address, and no field for it', async ({ page }) => {
      for (const path of ['/verify', '/change']) {
        await page.goto(`${path}?email=somebody@example.org`);
        await expect(page.getByText('somebody@example.org')).toBeVisible();
        await expect(page.getByLabel('Passcode')).toHaveCount(1);
        await expect(page.getByLabel('Email')).toHaveCount(0);
        await page.goto(`${path}?email=${encodeURIComponent(NASTY)}`);
        await expect(page.getByLabel('Email')).toHaveCount(1);
      }
    });

    test('say above everything else what can be done without, and lead from the first page to the schools', async ({
      page,
      product,
    }) => {
      // The document holds the first schools by name, of all that other tests have made.
      const { schoolName } = await createSchool(product, `Aaa ${Date.now()}`);
      await page.goto('/');
      const words = page.locator('noscript > p');
      await expect(words).toContainText('Without JavaScript you can read schools and reviews.');
      await expect(words).toBeInViewport();
      expect((await words.boundingBox())?.y).toBeLessThan(50);
      await page.getByRole('button', { name: 'Get Started' }).click();
      await expect(page).toHaveURL('/dashboard');
      await page.getByRole('link', { name: 'Browse all schools' }).click();
      await page.getByRole('main').getByRole('link', { name: schoolName }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(schoolName);
      await page.getByRole('navigation').getByRole('link', { name: 'Leader Boards' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('University Leaderboard');
      await expect(page.getByRole('button')).toHaveCount(0);
      await expect(page.getByText(/Based on student reviews and ratings · \d+ schools?$/)).toBeVisible();
      await expect(page.getByText('Loading rankings...')).toHaveCount(0);
    });

    test('show no form but those that the browser sends by itself, and no page wider than a phone', async ({
      page,
      product,
    }) => {
      await page.setViewportSize({ width: 360, height: 640 });
      const entry = await createEntry(product, category, (await createSchool(product)).id);
      const paths = [...ACCOUNT_PAGES, '/dashboard', '/allschools', `${category.pages.reviews}/${entry.id}`];
      for (const path of paths) {
        await page.goto(path);
        const sent = page.locator('form[method=post], form[method=post] *').filter({ visible: true });
        await expect(sent, path).toHaveCount(0);
        expect(await page.locator('form:not([method])').count(), path).toBe(0);
        const widths = await page
          .locator('html')
          .evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
        expect(widths[0], path).toBe(widths[1]);
      }
    });

    test('say what happened where there is no page', async ({ page }) => {
      await page.goto('/nowhere');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
      await page.getByRole('link', { name: 'Find a school' }).click();
      await expect(page).toHaveURL('/dashboard');
    });

    test('are current at every moment', async ({ page, product }) => {
      const entry = await createEntry(product, category, (await createSchool(product)).id);
      const path = `${category.pages.reviews}/${entry.id}`;
      await page.goto(path);
      await expect(page.getByText('No reviews yet.')).toBeVisible();
      for (const review of ['The first.', 'The second.']) {
        await postReview(product, category, entry.id, await createUser(product), { rating: 4, review });
        await page.goto(path);
        await expect(page.getByRole('article').first()).toContainText(review);
      }
    });

    test('show markup in names as text', async ({ page, product }) => {
      const school = { schoolName: `School ${NASTY}`, description: `About ${NASTY}`, location: `Here ${NASTY}` };
      const { id } = await product.app.database.write((db) => insertSchool(db, school));
      await page.goto(`/school/${id}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(school.schoolName);
      await expect(page.getByText(school.description)).toBeVisible();
    });
  });

  test('look as they will look, and come to life as they stand when their code arrives', async ({ page, product }) => {
    const entry = await createEntry(product, category, (await createSchool(product)).id);
    await postReview(product, category, entry.id, await createUser(product), { rating: 4, review: 'Good ground.' });
    const deliver = await holdBack(page, /\/assets\/main-/);
    await page.goto(`${category.pages.reviews}/${entry.id}`, { waitUntil: 'commit' });
    const heading = await page.getByRole('heading', { level: 1, name: entry.name }).elementHandle();
    const controls = page.getByRole('main').locator('button, input, textarea');
    await expect(controls.first()).toBeVisible();
    const look = () => controls.evaluateAll((elements) => elements.map((element) => getComputedStyle(element).opacity));
    const before = await look();
    deliver();
    await page.getByRole('button', { name: 'Menu' }).click();
    expect(await look()).toEqual(before);
    await expect(page.getByRole('navigation')).toBeVisible();
    expect(await heading?.evaluate((element) => element.isConnected)).toBe(true);
  });

  test('keep the title that the document came with', async ({ page, product, user, entry }) => {
    const { body: review } = await postReview(product, category, entry.id, user);
    const places = [`${category.pages.list}/${entry.schoolId}`, `${category.pages.reviews}/${entry.id}`];
    for (const path of [...places, `/school/${entry.schoolId}`, `/review/${review.id}`]) {
      const [, drawn] = /<title>([^<]*)/.exec(await (await fetch(product.url + path)).text()) ?? [];
      await openPage(page, path);
      await expect(page).toHaveTitle(drawn ?? 'none');
    }
  });

  test('give way to the page itself when a read of it fails', async ({ page, product }) => {
    const entry = await createEntry(product, category, (await createSchool(product)).id);
    await postReview(product, category, entry.id, await createUser(product), { rating: 4, review: 'Good ground.' });
    const list = reviewCalls(category).list.path.replace(':id', String(entry.id));
    await page.route(`**${list}`, (route) => route.fulfill({ status: 400, json: { error: 'Not today, thank you.' } }));
    await page.goto(`${category.pages.reviews}/${entry.id}`);
    await expect(page.getByText('The reviews could not be loaded.')).toBeVisible();
  });

  test('are no form that a click could send before their code arrives', async ({ page }) => {
    await page.route(/\/assets\/main-/, () => {});
    await page.goto('/login', { waitUntil: 'commit' });
    await expect(page.getByLabel('Password')).toBeVisible();
    await page.mouse.move(0, 0);
    await page.getByRole('button', { name: 'Login' }).click({ force: true });
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/login');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Login');
  });

  test('give way to the page for what is not there, without a word in the console', async ({ page, product }) => {
    await createSchool(product);
    for (const path of ['/nowhere', '/school/999999']) {
      await page.goto(path);
      await expect(page.getByRole('button', { name: 'Menu' })).toBeVisible();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
    }
  });

  test('lead on by the space bar too, where a link stands for a button', async ({ page }) => {
    await openPage(page, '/landing');
    await page.getByRole('button', { name: 'Get Started' }).focus();
    await page.keyboard.press('Space');
    await expect(page).toHaveURL('/dashboard');
  });
});

test('only documents with a form that works without a script allow one, and it leads nowhere else', async ({
  request,
  product,
}) => {
  const entry = await createEntry(product, category);
  const policyOf = async (path: string) => (await request.get(path)).headers()['content-security-policy'];
  for (const path of [
    '/dashboard',
    '/allschools',
    '/allschools?q=a',
    `${category.pages.reviews}/${entry.id}?stars=3`,
  ]) {
    expect(await policyOf(path), path).toMatch(/; form-action 'self'$/);
  }
  for (const path of [
    '/login',
    '/signup',
    '/landing',
    '/profile',
    '/leaderboard',
    `/school/${entry.schoolId}`,
    '/nowhere',
  ]) {
    expect(await policyOf(path), path).toMatch(/; form-action 'none'$/);
  }
});

test('the policy of a document allows the script that records early events, and no other one in it', async ({
  request,
}) => {
  for (const path of ['/login', '/dashboard', '/nowhere']) {
    const response = await request.get(path);
    const inline = [...(await response.text()).matchAll(/<script(?! type="module")[^>]*>(.*?)<\/script>/gs)]
      .filter(([tag]) => !/^<script type="application\/(?:ld\+)?json"/.test(tag))
      .map(([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);
    expect(inline, path).toHaveLength(1);
    expect(response.headers()['content-security-policy'], path).toContain(`; script-src 'self' ${inline[0]}; `);
  }
});

// Not among the tests above: the browser writes the failure to the console.
productTest('a page whose code is gone says so, and comes to life when it is reloaded', async ({ page, product }) => {
  const { id } = await createSchool(product);
  await page.route(/\/assets\/main-/, (route) => route.fulfill({ status: 404 }));
  await page.goto(`${product.url}/school/${id}`);
  await expect(notice(page, 'alert', 'This page was not loaded completely.')).toBeVisible();
  await page.unroute(/\/assets\/main-/);
  await page.reload();
  await whenHydrated(page);
  await expect(page.getByRole('alert')).toHaveCount(0);
});
