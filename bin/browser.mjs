import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT, run } from './process.mjs';

const CHROMIUM_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** A Chromium that cannot open windows: tests in it take half of the processor time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

const FIREFOX_PATHS = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'];
const WEBKIT = { driver: '/usr/bin/WebKitWebDriver', screen: '/usr/bin/Xvfb' };

/** A Chromium that starts: CHROMIUM_PATH, else the system's, else Playwright's own; undefined when there is none. */
export function findBrowser() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  return CHROMIUM_PATHS.find(starts) ?? [playwrightsOwn()].find(starts);
}

/** A Firefox that starts; undefined when there is none: the tests for it then say that they have not run. */
export function findFirefox() {
  return FIREFOX_PATHS.find(starts);
}

/** WebKitGTK's driver and the invisible screen it needs; undefined when one of them is not installed. */
export function findWebKit() {
  return Object.values(WEBKIT).every(existsSync) ? WEBKIT : undefined;
}

/** A Chromium for tests, installed where there is none: the system's package if possible, else Playwright's. */
export async function findOrInstallBrowser() {
  const find = () => process.env.CHROMIUM_PATH ?? [HEADLESS_SHELL].find(starts) ?? findBrowser();
  const found = find();
  if (found) return found;
  console.log('Installing a browser …');
  const isRoot = process.getuid?.() === 0;
  if (isRoot && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const apt = (/** @type {string[]} */ ...args) =>
      run('/usr/bin/apt-get', ['-q', ...args], { env, output: () => {} });
    await apt('update');
    for (const name of ['chromium-headless-shell', 'chromium']) {
      await apt('install', '-y', '--no-install-recommends', name);
      const installed = find();
      if (installed) return installed;
    }
  }
  const playwright = path.join(ROOT, 'node_modules/playwright/cli.js');
  await run(process.execPath, [playwright, 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium']);
  return findBrowser();
}

/** Whether a browser starts. It may exist and not start: Ubuntu's chromium-browser only says how to install one. */
function starts(/** @type {string} */ browser) {
  if (!existsSync(browser)) return false;
  if (process.platform === 'win32') return true; // there --version opens a window
  const { stdout } = spawnSync(browser, ['--version'], { encoding: 'utf8' });
  return /\d+\.\d+/.test(stdout ?? '');
}

/** @returns {string} */
function playwrightsOwn() {
  return createRequire(import.meta.url)('playwright').chromium.executablePath();
}
