import type { Page } from 'playwright/test';
import { insertSchool } from '../../src/server/schools/queries.ts';
import { expect, test } from '../support/browser.ts';
import type { RunningProduct } from '../support/rows.ts';

/** The fonts that the browser set an element in. */
async function fontsOf(page: Page, selector: string): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  return fonts.map(({ familyName }) => familyName);
}

/** Opens the page of a school and answers which parts of the fonts it fetched. */
async function openSchool(page: Page, product: RunningProduct, name: string): Promise<string[]> {
  const school = { schoolName: name, description: `About ${name}.`, location: 'Here' };
  const { id } = await product.app.database.write((db) => insertSchool(db, school));
  const fetched: string[] = [];
  page.on('request', (request) => {
    const part = /source-\w+-\d-([\w-]+?)-(?:wght|600)-/.exec(request.url())?.[1];
    if (part) fetched.push(part);
  });
  await page.goto(`/school/${id}`);
  await page.evaluate(() => document.fonts.ready);
  return [...new Set(fetched)].sort();
}

test('a page of plain letters fetches no other part of the fonts', async ({ page, product }) => {
  expect(await openSchool(page, product, 'Ilhéu Atlantic College')).toEqual(['latin']);
});

for (const [name, parts] of [
  ['Stary Młyn Academy', ['latin', 'latin-ext']],
  ['Đại học Hà Nội', ['latin', 'latin-ext', 'vietnamese']],
] as const) {
  test(`no word of "${name}" is set in two fonts`, async ({ page, product }) => {
    expect(await openSchool(page, product, name)).toEqual(parts);
    await expect.poll(() => fontsOf(page, 'h1')).toEqual(['Source Serif 4 SemiBold']);
    // The file that holds all weights gives itself this name.
    await expect.poll(() => fontsOf(page, 'main p.whitespace-pre-line')).toEqual(['Source Sans 3 ExtraLight']);
  });
}
