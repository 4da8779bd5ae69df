import { CATEGORIES } from '../../src/contract/categories.ts';
import { PAGES, pageAddress } from '../../src/contract/pages.ts';
import { expect, expectAfterRetries, openAs, openMenu, openPage, test } from '../support/browser.ts';
import { createEntry } from '../support/rows.ts';

/** The contrast that WCAG 2.2 (1.4.11) asks for between the ring and what lies next to it. */
const CONTRAST_MIN = 3;

/** The contrast of what has the focus: its ring against the surface behind it. */
function ringContrast(): { what: string; contrast: number } {
  const focused = document.activeElement as HTMLElement;
  const canvas = new OffscreenCanvas(1, 1).getContext('2d');
  const luminance = (colour: string) => {
    if (!canvas) throw new Error('there is no canvas');
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const linear = [...canvas.getImageData(0, 0, 1, 1).data]
      .slice(0, 3)
      .map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0);
  };
  let surface: Element | null = focused.parentElement;
  while (surface && getComputedStyle(surface).backgroundColor === 'rgba(0, 0, 0, 0)') surface = surface.parentElement;
  const behind = luminance(getComputedStyle(surface ?? document.documentElement).backgroundColor);
  const ring = luminance(getComputedStyle(focused).outlineColor);
  return {
    what: focused.outerHTML.slice(0, 80),
    contrast: (Math.max(ring, behind) + 0.05) / (Math.min(ring, behind) + 0.05),
  };
}

test('in forced colours the current list of reports can be told', async ({ page, admin }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await openAs(page, admin, PAGES.moderation.path);
  const lists = page.getByRole('navigation', { name: 'Lists' });
  await expect(lists.getByRole('link', { name: 'Open' })).toHaveCSS('outline-style', 'solid');
  await expect(lists.getByRole('link', { name: 'Closed' })).toHaveCSS('outline-style', 'none');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`the ring around what has the focus, ${colorScheme}`, () => {
    test.use({ colorScheme });

    test('stands out from every surface behind it', async ({ page, product }) => {
      const [category] = CATEGORIES as [(typeof CATEGORIES)[number]];
      const { schoolId } = await createEntry(product, category);
      const paths = [PAGES.landing, PAGES.dashboard, PAGES.allSchools, PAGES.leaderboard, PAGES.login].map(
        ({ path }) => path,
      );
      for (const path of [...paths, pageAddress(PAGES.school, schoolId), `${category.pages.list}/${schoolId}`]) {
        await openPage(page, path);
        const seen = new Set<string>();
        for (let stop = 0; stop < 30; stop += 1) {
          await page.keyboard.press('Tab');
          if (await page.evaluate(() => document.activeElement === document.body)) break;
          const { what, contrast } = await page.evaluate(ringContrast);
          seen.add(what);
          expect(contrast, `${path}: ${what}`).toBeGreaterThanOrEqual(CONTRAST_MIN);
        }
        expect(seen.size, path).toBeGreaterThan(0);
      }
    });

    test('stands out in the panel and the suggestions that open over the dusk', async ({ page }) => {
      await page.route('**/auth/schools', (route) => route.abort());
      await page.clock.install();
      await openPage(page, PAGES.dashboard.path);
      const menu = await openMenu(page);
      await menu.getByRole('link').first().focus();
      expect((await page.evaluate(ringContrast)).contrast).toBeGreaterThanOrEqual(CONTRAST_MIN);
      await page.keyboard.press('Escape');
      await page.getByRole('combobox').focus();
      const retry = page.getByRole('button', { name: 'Retry' });
      await expectAfterRetries(page, (soon) => expect(retry).toBeVisible(soon));
      await page.keyboard.press('Tab');
      await expect(retry).toBeFocused();
      expect((await page.evaluate(ringContrast)).contrast).toBeGreaterThanOrEqual(CONTRAST_MIN);
    });
  });
}
