import { findFirefox, findWebKit } from '../../bin/browser.mjs';
import { expect, productTest as test } from '../support/browser.ts';
import type { Driver } from '../support/browsers/driver.ts';
import { startFirefox } from '../support/browsers/firefox.ts';
import { createVisitor } from '../support/browsers/visitor.ts';
import { startWebKit } from '../support/browsers/webkit.ts';
import {
  category,
  createEntry,
  createSchool,
  createUser,
  PASSWORD,
  postReview,
  readPasscode,
  unique,
} from '../support/rows.ts';

const firefox = findFirefox();
const webkit = findWebKit();
const ENGINES: { name: string; start: (() => Promise<Driver>) | undefined }[] = [
  { name: 'firefox', start: firefox ? () => startFirefox(firefox) : undefined },
  { name: 'webkit', start: webkit ? () => startWebKit(webkit) : undefined },
];

test.use({ database: 'other-engines' });

for (const { name, start } of ENGINES) {
  test(`in ${name} somebody signs up, finds an entry, posts a half-star review and sees it count`, async ({
    product,
  }) => {
    test.skip(start === undefined, `${name}: not installed, journey not run`);
    if (!start) return;
    const school = await createSchool(product, unique('Lakeside University'));
    const entry = await createEntry(product, category, school.id);
    await postReview(product, category, entry.id, await createUser(product), { rating: 4, review: 'An older review.' });
    const username = unique('walker');
    const email = `${username}@example.org`;

    const driver = await start();
    try {
      const visitor = createVisitor(driver, product.url);
      await visitor.open('/signup');
      await visitor.type('textbox', 'Username', username);
      await visitor.type('textbox', 'Email', email);
      await visitor.type('textbox', 'Password', PASSWORD);
      await visitor.type('textbox', 'Confirm Password', PASSWORD);
      await visitor.click('button', 'Sign Up');
      await visitor.arrives(/^\/verify\?email=/);
      await visitor.type('textbox', 'Passcode', await readPasscode(product, email));
      await visitor.click('button', 'Verify');
      await visitor.arrives(/^\/login/);
      // The email is filled in.
      await visitor.type('textbox', 'Password', PASSWORD);
      await visitor.click('button', 'Login');
      await visitor.arrives(/^\/dashboard$/);

      await visitor.open('/landing');
      await visitor.click(['button', 'link'], 'Get Started');
      await visitor.arrives(/^\/dashboard$/);
      await visitor.type('combobox', 'Search for a school', school.schoolName.toUpperCase());
      await visitor.click('option', school.schoolName);
      await visitor.arrives(/^\/school\/\d+$/);
      await visitor.sees('heading', school.schoolName);
      await visitor.click('link', category.label);
      await visitor.arrives(new RegExp(`^${category.pages.list}/`));
      await visitor.click('link', entry.name);
      await visitor.arrives(new RegExp(`^${category.pages.reviews}/`));
      await visitor.sees('heading', `Student ${entry.name} Reviews`);

      await visitor.click('radio', '2.5 stars');
      await visitor.type('textbox', 'Your review', 'Cold water, warm people.');
      await visitor.click('button', 'Submit Review');
      await visitor.reads('article', 'Cold water, warm people.');
      await visitor.reads('article', `by ${username}`);
      await visitor.reads('main', 'Average Rating3.3');

      await visitor.open('/leaderboard');
      await visitor.sees('heading', `Top 5 Schools - ${category.leaderboardLabel}`);
      await visitor.reads('tbody', school.schoolName);
      await visitor.reads('tbody', '3.25');
      expect(await driver.errors()).toEqual([]);
      await driver.run(() => {
        setTimeout(() => {
          throw new Error('planted, so that an empty list means something');
        });
      });
      await expect.poll(driver.errors).toEqual([expect.stringContaining('planted')]);
    } finally {
      await driver.close();
    }
  });
}
