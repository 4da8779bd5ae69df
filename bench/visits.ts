import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright';
import playwright from '../playwright.config.ts';
import { PAGES } from '../src/contract/pages.ts';
import { openVisitedStore } from './data.ts';
import { measureEmptyApp, measureInitialScripts } from './initial-scripts.ts';
import type { Options } from './options.ts';
import { type PageRequest, type RequestRecord, recordRequests } from './page-requests.ts';
import { type Section, table, verdict, writeSection } from './sections.ts';
import { startProduct } from './servers.ts';
import { measureArrival, SLOW_LINE, SLOW_LINE_RUNS } from './slow-line.ts';
import { readVisitedPages, type VisitedPage } from './visited-pages.ts';

const SCRIPTS_OF_EMPTY_APP_MAX = 1.35;
/** The document is at depth 1, and files that it names at 2. A deeper request had to wait for another answer. */
const DEPTH_MAX = 2;
/** Short, medium and longest of the pages that most visits start at. */
const SLOW_LINE_PAGES: readonly string[] = [PAGES.landing.path, PAGES.school.path, PAGES.allSchools.path];
const KINDS = ['document', 'script', 'style', 'font', 'data', 'other'] as const;

interface Visit extends VisitedPage {
  readonly first: readonly PageRequest[];
  readonly byLink: readonly PageRequest[];
}

/** A page is loaded when it shows its heading and no request is pending. */
async function settle(page: Page, record: RequestRecord): Promise<readonly PageRequest[]> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await record.idle();
  return record.requests;
}

async function visitFirst(browser: Browser, origin: string, address: string): Promise<readonly PageRequest[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const record = await recordRequests(page);
  await page.goto(origin + address);
  const requests = await settle(page, record);
  await context.close();
  return requests;
}

/** What a link on the start page would load: the address changes inside the running product. */
async function followLink(browser: Browser, origin: string, address: string): Promise<readonly PageRequest[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const start = await recordRequests(page);
  await page.goto(origin + PAGES.landing.path);
  await settle(page, start);
  const record = await recordRequests(page);
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);
  const requests = await settle(page, record);
  await context.close();
  return requests;
}

const kilobytes = (requests: readonly PageRequest[]) =>
  requests.length === 0 ? '' : (requests.reduce((sum, { bytes }) => sum + bytes, 0) / 1000).toFixed(1);
/** The name of a file without its folder and hash. */
const shortName = (name: string) => name.replace(/^\/assets\/(.+)-[\w-]{8}(\.\w+)$/, '$1$2');
const depthOf = (requests: readonly PageRequest[]) => requests.reduce((max, { depth }) => Math.max(max, depth), 0);

function rowOf({ name, first, byLink }: Visit): string[] {
  const late = first.filter(({ depth }) => depth > DEPTH_MAX).map(({ name }) => shortName(name));
  return [
    `\`${name}\``,
    String(first.length),
    kilobytes(first),
    ...KINDS.map((kind) => kilobytes(first.filter((load) => load.kind === kind))),
    String(first.filter(({ kind, depth }) => kind === 'font' && depth <= DEPTH_MAX).length),
    String(depthOf(first)),
    late.join(', '),
    String(byLink.length),
    kilobytes(byLink),
    kilobytes(byLink.filter(({ kind }) => kind === 'data')),
  ];
}

const HEAD = [
  ...['page', 'requests', 'KB', ...KINDS, 'fonts at once', 'depth', 'asked for late'],
  ...['by link: requests', 'KB', 'data'],
];

function versionOf(name: string): string {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  return `${name} ${JSON.parse(readFileSync(manifest, 'utf8')).version}`;
}

/** Visits every public page with an empty cache, and by a link from the start page. */
export async function measureVisits(options: Options, say: (line: string) => void): Promise<Section> {
  const store = await openVisitedStore();
  const pages = await readVisitedPages(store, options);
  const server = await startProduct(store, options);
  const browser = await chromium.launch(playwright.use?.launchOptions ?? {});
  const visits: Visit[] = [];
  for (const { name, address } of pages) {
    // Two visits come first: the second one makes the compressed form of answers, which most visitors get.
    for (let count = 0; count < 2; count += 1) await visitFirst(browser, server.origin, address);
    const first = await visitFirst(browser, server.origin, address);
    visits.push({ name, address, first, byLink: await followLink(browser, server.origin, address) });
    say(`${address}: ${first.length} requests, ${kilobytes(first)} KB, depth ${depthOf(first)}`);
  }
  const arrivals: string[][] = [];
  for (const { name, address } of pages.filter(({ name }) => SLOW_LINE_PAGES.includes(name))) {
    const { shows, answers } = await measureArrival(browser, server.origin + address);
    arrivals.push([`\`${name}\``, `${shows.toFixed(2)} s`, `${answers.toFixed(2)} s`]);
    say(`${address}: shows after ${shows.toFixed(2)} s, answers after ${answers.toFixed(2)} s`);
  }
  const versions = [`Chromium ${browser.version()}`, versionOf('playwright')];
  await browser.close();
  await server.stop();
  await store.remove();

  const own = measureInitialScripts();
  const empty = await measureEmptyApp();
  const ratio = own / empty;
  return writeSection(
    'Visits',
    [versions.join(', '), store.describe],
    [
      'Bytes over the wire, heads included, of a first visit with an empty cache and of a change to the page by a link from',
      'the start page. Depth: the document is 1, what it names is 2, what waits for one of these is 3; the icon and the',
      'manifest, which no page waits for, are among the others.',
      '',
      ...table(HEAD, visits.map(rowOf)),
      '',
      `On a slow line (${SLOW_LINE}), the median of ${SLOW_LINE_RUNS}: when a first text shows, and when the page answers.`,
      '',
      ...table(['page', 'shows', 'answers'], arrivals),
      '',
      `- JavaScript that every page needs, Brotli: ${(own / 1000).toFixed(1)} KB; of an empty app with React, React Router`,
      `  and TanStack Query from the same build: ${(empty / 1000).toFixed(1)} KB; ratio ${ratio.toFixed(2)} (goal:`,
      `  ${SCRIPTS_OF_EMPTY_APP_MAX}, ${verdict(ratio <= SCRIPTS_OF_EMPTY_APP_MAX)})`,
    ],
  );
}
