import type { Browser } from 'playwright';
import { medianBy } from './measure.ts';

export const SLOW_LINE_RUNS = 5;
const LATENCY_MS = 150;
const BITS_A_SECOND = 1.6e6;
const CPU_SLOWDOWN = 4;
export const SLOW_LINE = `${BITS_A_SECOND / 1e6} Mbit/s, ${LATENCY_MS} ms, a processor ${CPU_SLOWDOWN} times slower`;

/** Seconds from the request of a document. */
interface Arrival {
  /** The first text is painted. */
  readonly shows: number;
  /** The page is hydrated, and reacts to clicks. */
  readonly answers: number;
}

async function arrive(browser: Browser, address: string): Promise<Arrival> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  const bytes = BITS_A_SECOND / 8;
  const line = { offline: false, latency: LATENCY_MS, downloadThroughput: bytes, uploadThroughput: bytes };
  await devTools.send('Network.emulateNetworkConditions', line);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.addInitScript(() => {
    // AfterHydration takes the mark of the server's document off the root when the page is hydrated.
    new MutationObserver((records) => {
      const isMarked = (one: MutationRecord) => one.target instanceof Element && one.target.id === 'root';
      if (records.some(isMarked)) performance.mark('answers');
    }).observe(document, { subtree: true, attributes: true });
  });
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByName('answers').length > 0, null, { polling: 100 });
  const arrival = await page.evaluate(() => {
    const startOf = (name: string) => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN;
    return { shows: startOf('first-contentful-paint') / 1000, answers: startOf('answers') / 1000 };
  });
  await context.close();
  if (Number.isNaN(arrival.shows)) throw new Error(`${address} was hydrated and not painted.`);
  return arrival;
}

/** Opens a page several times with an empty cache. @returns the run whose time until the page answers is the median */
export async function measureArrival(browser: Browser, address: string): Promise<Arrival> {
  const arrivals: Arrival[] = [];
  for (let run = 0; run < SLOW_LINE_RUNS; run += 1) arrivals.push(await arrive(browser, address));
  return medianBy(arrivals, ({ answers }) => answers);
}
