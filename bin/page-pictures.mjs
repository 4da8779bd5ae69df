// node bin/page-pictures.mjs URL EMAIL PASSWORD: takes the pictures of docs/pages.md, on a server with the sample data.
import { writeFileSync } from 'node:fs';
import { chromium } from 'playwright';
import { findBrowser } from './browser.mjs';

const WIDE = { width: 1280, height: 860 };
const NARROW = { width: 360, height: 740 };
/** @type {{ name: string, path: string, viewport: typeof WIDE, scheme: 'light' | 'dark', isAdmin?: boolean }[]} */
const PICTURES = [
  { name: 'landing', path: '/landing', viewport: WIDE, scheme: 'light' },
  { name: 'dashboard', path: '/dashboard', viewport: WIDE, scheme: 'dark' },
  { name: 'all-schools', path: '/allschools', viewport: WIDE, scheme: 'light' },
  { name: 'school', path: '/school/6', viewport: WIDE, scheme: 'light' },
  { name: 'list', path: '/athletics/6', viewport: NARROW, scheme: 'light' },
  { name: 'review-page', path: '/athleticsreview/73', viewport: WIDE, scheme: 'light' },
  { name: 'review-page-narrow', path: '/athleticsreview/73', viewport: NARROW, scheme: 'dark' },
  { name: 'leaderboard', path: '/leaderboard', viewport: WIDE, scheme: 'dark' },
  { name: 'compare', path: '/compare?ids=1,2,3,6', viewport: WIDE, scheme: 'light' },
  { name: 'profile', path: '/profile', viewport: WIDE, scheme: 'light', isAdmin: true },
  { name: 'moderation', path: '/moderation', viewport: WIDE, scheme: 'dark', isAdmin: true },
  { name: 'admin-narrow', path: '/AAR/73', viewport: NARROW, scheme: 'light', isAdmin: true },
];
/** The largest size of a picture, in bytes. */
const SIZE_MAX = 40_000;

/**
 * Converts a picture to WebP, a wide one to three quarters of its size. Runs in a page.
 * @param {{ png: string, quality: number }} picture
 */
async function toWebp({ png, quality }) {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  const scale = image.width > 400 ? 0.75 : 1;
  canvas.width = image.width * scale;
  canvas.height = image.height * scale;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser cannot draw.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/webp', quality).split(',')[1] ?? '';
}

const [url, email, password] = process.argv.slice(2);
const body = JSON.stringify({ email, password });
const headers = { 'Content-Type': 'application/json' };
const { token, error } = await (await fetch(`${url}/auth/login`, { method: 'POST', headers, body })).json();
if (error) throw new Error(error);

const profile = {
  location: 'By the sea',
  major: 'Marine biology',
  academicLevel: 'Undergraduate',
  living: 'A quiet hall',
};
await fetch(`${url}/auth/postProfile`, {
  method: 'POST',
  headers: { ...headers, Authorization: `Bearer ${token}` },
  body: JSON.stringify(profile),
});
const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
const blank = await browser.newPage();
for (const { name, path, viewport, scheme, isAdmin } of PICTURES) {
  const page = await browser.newPage({ viewport, colorScheme: scheme, locale: 'en-US', timezoneId: 'UTC' });
  if (isAdmin) await page.addInitScript((value) => sessionStorage.setItem('token', value), token);
  await page.goto(url + path);
  await page.waitForLoadState('networkidle');
  const png = (await page.screenshot({ animations: 'disabled' })).toString('base64');
  let picture;
  for (let quality = 0.9; !picture || (picture.length > SIZE_MAX && quality > 0.2); quality -= 0.1) {
    picture = Buffer.from(await blank.evaluate(toWebp, { png, quality }), 'base64');
  }
  writeFileSync(new URL(`../docs/pages/${name}.webp`, import.meta.url), picture);
  console.log(`${name}.webp: ${picture.length} bytes`);
  await page.close();
}
await browser.close();
