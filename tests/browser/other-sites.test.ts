import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, openPage, test } from '../support/browser.ts';
import { category, createEntry, createSchool, createUser, postReview } from '../support/rows.ts';

/** A page of another site, which reads reviews of an entry and shows them as a table below a badge. */
const pageOf = (url: string, id: number) => `<!doctype html><html lang="en"><title>Another site</title>
<img id="badge" src="${url}/badges/entry/${id}.svg" alt="Badge"><table></table>
<script type="module">
  const answer = await fetch('${url}/auth/${category.calls.reviews}/${id}');
  for (const { rating, review } of await answer.json()) {
    const row = document.querySelector('table').insertRow();
    for (const text of [rating, review]) row.insertCell().textContent = text;
  }
  document.body.dataset.etag = answer.headers.get('ETag');
</script>`;

test('a page of another origin draws a table of reviews and shows a badge', async ({ page, product, entry, user }) => {
  await postReview(product, category, entry.id, user, { rating: 4.5, review: 'Read from afar.' });
  const server = createServer((_request, response) =>
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(pageOf(product.url, entry.id)),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/`);
    await expect(page.getByRole('row')).toHaveText(['4.5Read from afar.']);
    await expect(page.locator('body')).toHaveAttribute('data-etag', /./);
    const size = () => page.locator('#badge').evaluate(({ naturalWidth }: HTMLImageElement) => naturalWidth);
    await expect.poll(size).toBe(320);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('"Share" has the HTML of a badge, which shows it on a page of another site', async ({
  page,
  context,
  newPage,
  product,
  entry,
}) => {
  await postReview(product, category, entry.id, await createUser(product), { rating: 4.5 });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  for (const [path, badge] of [
    [`/school/${entry.schoolId}`, `/badges/school/${entry.schoolId}.svg`],
    [`${category.pages.reviews}/${entry.id}`, `/badges/entry/${entry.id}.svg`],
  ] as const) {
    await openPage(page, path);
    await page.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share' });
    const html = dialog.getByLabel('HTML');
    await expect(html).toHaveValue(new RegExp(`src="${product.url}${badge}"`));
    await expect(dialog.getByRole('link', { name: 'Feed of new reviews' })).toHaveAttribute(
      'href',
      badge.replace('badges', 'feeds').replace('.svg', '.atom'),
    );
    await dialog.getByLabel('For a dark page').check();
    await expect(html).toHaveValue(new RegExp(`src="${product.url}${badge}\\?style=dark"`));
    const shown = await html.inputValue();
    await dialog.getByRole('button', { name: 'Copy HTML' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
    await expect(dialog).toHaveCount(0);
    const elsewhere = await newPage();
    await elsewhere.setContent(shown);
    const image = elsewhere.getByRole('img', { name: /^Reviews of .* on School Reviews$/ });
    await expect.poll(() => image.evaluate(({ naturalWidth }: HTMLImageElement) => naturalWidth)).toBe(320);
    await expect(elsewhere.getByRole('link')).toHaveAttribute('href', `${product.url}${path}`);
  }
});

test('feeds and badges are well-formed XML in a browser, whatever a name holds', async ({ page, product, user }) => {
  const school = await createSchool(product, `<b>"Tom" & 'Jerry'</b> \u0001\u{1F993} ]]> ${user.username}`);
  const entry = await createEntry(product, category, school.id);
  await postReview(product, category, entry.id, user, { review: 'Less < more & so on ]]>' });
  await openPage(page, '/about');
  for (const address of [
    ...['school', 'entry'].map((kind) => `/feeds/${kind}/${kind === 'school' ? school.id : entry.id}.atom`),
    `/badges/school/${school.id}.svg`,
  ]) {
    const root = await page.evaluate(async (one) => {
      const text = await (await fetch(one)).text();
      const read = new DOMParser().parseFromString(text, 'application/xml');
      const all = (name: string) => [...read.getElementsByTagName(name)].map(({ textContent }) => textContent);
      return { name: read.documentElement.localName, faults: all('parsererror'), content: all('content') };
    }, address);
    const isFeed = address.endsWith('.atom');
    expect(root).toEqual({
      ...{ name: isFeed ? 'feed' : 'svg', faults: [] },
      content: isFeed ? ['Less < more & so on ]]>'] : [],
    });
  }
});

test('a page that another site opens cannot be reached from there', async ({ page, product }) => {
  const popup = page.waitForEvent('popup');
  await page.evaluate((url) => void window.open(url), `${product.url}/about`);
  const opened = await popup;
  await expect(opened.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await opened.evaluate(() => window.opener)).toBeNull();
});
