// node bin/pictures.mjs: draws the icons and the picture that stands beside shared links, out of the drawings of the
// pages, with the browser of the tests. Its files are committed; run it when a drawing changes.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright';
import { findBrowser } from './browser.mjs';
import { ROOT } from './process.mjs';

const PUBLIC = path.join(ROOT, 'src/client/public');
const icon = readFileSync(path.join(PUBLIC, 'favicon.svg'), 'utf8');
const campus = readFileSync(path.join(ROOT, 'src/client/pages/site/campus.svg'), 'utf8');
const serif = readFileSync(
  path.join(ROOT, 'node_modules/@fontsource/source-serif-4/files/source-serif-4-latin-600-normal.woff2'),
);

/** The icon without its round corners: systems cut their own. */
const square = icon.replace(' rx="7"', '');
/** The square icon, drawn inside the circle that any mask leaves (https://www.w3.org/TR/appmanifest/#icon-masks). */
const maskable = square.replace('viewBox="0 0 32 32"', 'viewBox="-4 -4 40 40"').replace(/<rect[^>]*>/, '');

const browser = await chromium.launch({ executablePath: findBrowser() });
const page = await browser.newPage();

/** @param {string} html @param {number} width @param {number} height */
async function draw(html, width, height) {
  await page.setViewportSize({ width, height });
  await page.setContent(`<style>*{margin:0}svg{display:block;width:100%;height:100%}</style>${html}`);
  await page.evaluate(() => document.fonts.ready);
  return page.screenshot({ omitBackground: true });
}

/** An .ico of PNGs. @param {{ size: number, png: Buffer }[]} pictures */
function toIco(pictures) {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, { size, png }] of pictures.entries()) {
    const at = 6 + 16 * index;
    head.writeUInt8(size, at);
    head.writeUInt8(size, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
}

const card = `<style>
@font-face { font-family: Heading; src: url(data:font/woff2;base64,${serif.toString('base64')}) }
body { overflow: hidden; background: #0d2233 }
body > * { position: absolute; left: 0; right: 0 }
.campus { top: 60px; height: 630px }
.shade { inset: 0; background: linear-gradient(#0b2026e0, #0b2026b0 45%, #0b202600 70%) }
.icon { top: 48px; width: 88px; height: 88px; margin: auto }
h1 { top: 164px; font: 72px/1.1 Heading; color: #f6f2e8; text-align: center }
</style><div class="campus">${campus}</div><div class="shade"></div><div class="icon">${icon}</div><h1>Discover schools worldwide</h1>`;

const sizes = [16, 32, 48];
const small = [];
for (const size of sizes) small.push({ size, png: await draw(icon, size, size) });
/** @type {[string, Buffer][]} */
const files = [
  ['favicon.ico', toIco(small)],
  ['apple-touch-icon.png', await draw(square, 180, 180)],
  ['icon-192.png', await draw(icon, 192, 192)],
  ['icon-512.png', await draw(icon, 512, 512)],
  ['icon-maskable-512.png', await draw(`<body style="background:#022a2f">${maskable}`, 512, 512)],
  ['og-image.png', await draw(card, 1200, 630)],
];
for (const [name, bytes] of files) writeFileSync(path.join(PUBLIC, name), bytes);
await browser.close();
