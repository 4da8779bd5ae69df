import { setTimeout } from 'node:timers/promises';
import { type Call, callAddress } from '../src/contract/call.ts';
import { getOpenCounts, getReports, moderateReview, reportReview } from '../src/contract/moderation.ts';
import { getMyReviews } from '../src/contract/my-reviews.ts';
import { getRemovals, getRemovalTotals } from '../src/contract/removals.ts';
import { reviewCalls } from '../src/contract/reviews.ts';
import { openStore, type Store } from './data.ts';
import {
  type Client,
  describeLoad,
  LATENCY_HEAD,
  latencyCells,
  latencyOf,
  latencyVerdict,
  openClient,
  requireStatus,
} from './latency.ts';
import { createLoadMaker } from './load.ts';
import { checkReading, startLimit, WARM_UP_SECONDS } from './measure.ts';
import { countRemovals, type Moderated, moderate } from './moderation-data.ts';
import type { Options } from './options.ts';
import { ENGINES } from './report.ts';
import { type Section, table, verdict, whole, writeSection } from './sections.ts';
import { type RunningServer, startProduct } from './servers.ts';
import { readSubjects, type Subjects } from './subjects.ts';
import { readings, UNCACHED } from './workloads.ts';

/** How many reviews there are for each report, and for each line of the list of removals. */
const REVIEWS_PER_REMOVAL = 4;
const WARM_REQUESTS = 100;
const REQUESTS = 1_000;
/** Reviews of the hottest entry that are hidden and restored, one after the other. */
const DECISIONS = 200;
const REPORTS_PER_SECOND = 20;
/** For how many times the length of a burst reports come: a minute by default. */
const BURSTS_OF_REPORTS = 20;
const GOALS = { read: 10, decision: 20, share: 0.9 };

const HEAD = ['one after the other', ...LATENCY_HEAD, 'bare p50', 'bare p99', 'goal'];

function rowOf(what: string, times: readonly number[], ofBare: readonly number[], max: number): string[] {
  const [latency, bare] = [latencyOf(times), latencyOf(ofBare)];
  return [what, ...latencyCells(latency), ...latencyCells(bare).slice(0, 2), latencyVerdict(latency, max)];
}

/** A read of one caller, or of everybody. */
interface TimedRead {
  readonly what: string;
  readonly call: Call;
  readonly query?: Record<string, string>;
  readonly token?: string;
}

function readsOf({ author, admin, authored, reports, openItems, removals }: Moderated): TimedRead[] {
  const { token } = admin;
  const list = `of ${whole(reports)} reports on open and decided reviews`;
  return [
    { what: `getReports, pages ${list}: ${whole(openItems)} open`, call: getReports, token },
    { what: `getReports, pages ${list}: closed`, call: getReports, query: { state: 'closed' }, token },
    { what: 'getOpenCounts, beside the link to /admin', call: getOpenCounts, token },
    {
      what: `getMyReviews, pages of a person with ${whole(authored)} reviews, each reported and hidden`,
      call: getMyReviews,
      token: author.token,
    },
    { what: `getRemovals, pages of ${whole(removals)} lines`, call: getRemovals },
    { what: 'getRemovalTotals', call: getRemovalTotals },
  ];
}

/** Times the pages of a list one after the other, starting again at the end. */
async function timePages(client: Client, { call, query, token }: TimedRead, amount: number): Promise<number[]> {
  const times: number[] = [];
  let next: Record<string, string> | undefined;
  while (times.length < amount) {
    const address = callAddress(call, { query: { ...query, ...next } });
    const timed = requireStatus(200, await client.ask({ address, ...(token && { token }) }));
    times.push(timed.milliseconds);
    next = timed.next;
  }
  return times;
}

/** Starts a bare server that sends this answer to every request. */
const startBareWith = (body: string) =>
  startLimit(
    new Map([['/', { status: 200, type: 'application/json; charset=utf-8', etag: null, body: Buffer.from(body) }]]),
  );

async function measureReads(store: Store, options: Options, moderated: Moderated): Promise<string[][]> {
  const server = await startProduct(store, options, UNCACHED);
  const client = openClient(server.origin);
  const rows: string[][] = [];
  for (const read of readsOf(moderated)) {
    const { call, query = {}, token } = read;
    const { body } = await client.ask({ address: callAddress(call, { query }), ...(token && { token }) });
    const bare = await startBareWith(body);
    const bareClient = openClient(bare.origin);
    await timePages(bareClient, read, WARM_REQUESTS);
    const ofBare = await timePages(bareClient, read, REQUESTS);
    await timePages(client, read, WARM_REQUESTS);
    rows.push(rowOf(read.what, await timePages(client, read, REQUESTS), ofBare, GOALS.read));
    bareClient.close();
    await bare.stop();
  }
  client.close();
  await server.stop();
  return rows;
}

/** Visible reviews of the entry that has the most of them, newest first. */
async function readHottest(client: Client, { hottest }: Subjects): Promise<number[]> {
  const { list } = reviewCalls(hottest.category);
  const ids: number[] = [];
  let next: Record<string, string> | undefined = {};
  while (next && ids.length < DECISIONS) {
    const address = callAddress(list, { params: { id: hottest.id }, query: next });
    const timed = requireStatus(200, await client.ask({ address }));
    ids.push(...(JSON.parse(timed.body) as { id: number }[]).map(({ id }) => id));
    next = timed.next;
  }
  return ids.slice(0, DECISIONS);
}

async function measureDecisions(server: RunningServer, subjects: Subjects, { token }: Moderated['admin']) {
  const client = openClient(server.origin);
  const addressOf = (reviewId: number) => callAddress(moderateReview, { params: { reviewId } });
  const decide = async (by: Client, reviewId: number, body: object) =>
    requireStatus(200, await by.ask({ method: 'PUT', address: addressOf(reviewId), token, body }));
  const hide = (by: Client, reviewId: number) => decide(by, reviewId, { action: 'hide', reason: 'spam' });
  const restore = (by: Client, reviewId: number) => decide(by, reviewId, { action: 'restore' });

  const reviews = await readHottest(client, subjects);
  const first = reviews[0] as number;
  const bare = await startBareWith((await hide(client, first)).body);
  await restore(client, first);
  const bareClient = openClient(bare.origin);
  const [hidden, restored, ofBare]: [number[], number[], number[]] = [[], [], []];
  for (const review of reviews.slice(1)) {
    hidden.push((await hide(client, review)).milliseconds);
    restored.push((await restore(client, review)).milliseconds);
    ofBare.push((await hide(bareClient, review)).milliseconds);
  }
  client.close();
  bareClient.close();
  await bare.stop();
  const entry = `a review of the hottest entry, ${whole(subjects.hottest.reviews)} reviews`;
  return [
    rowOf(`hide ${entry}`, hidden, ofBare, GOALS.decision),
    rowOf(`restore ${entry}`, restored, ofBare, GOALS.decision),
  ];
}

/** Sends reports at a steady rate, however long the answers take. @returns the milliseconds of each */
async function report(server: RunningServer, { writers }: Subjects, unreported: readonly number[], seconds: number) {
  const client = openClient(server.origin);
  const amount = seconds * REPORTS_PER_SECOND;
  if (amount > unreported.length) throw new Error(`There are too few reviews for ${amount} reports.`);
  const began = performance.now();
  const sent: Promise<number>[] = [];
  for (const [index, reviewId] of unreported.slice(0, amount).entries()) {
    await setTimeout(Math.max(0, began + (index * 1_000) / REPORTS_PER_SECOND - performance.now()));
    const address = callAddress(reportReview, { params: { reviewId } });
    const { token = '' } = writers[index % writers.length] ?? {};
    const answer = client.ask({ method: 'POST', address, token, body: { reason: 'spam' } });
    sent.push(answer.then((timed) => requireStatus(201, timed).milliseconds));
  }
  const times = await Promise.all(sent);
  client.close();
  return times;
}

const READS_HEAD = ['cached reads', 'requests/s', 'share', 'p50 ms', 'p99 ms', 'CPU µs', 'goal'];

/** Reads a cached average with and without reports that come meanwhile, beside the bare server with the same bytes. */
async function measureReported(server: RunningServer, subjects: Subjects, moderated: Moderated, options: Options) {
  const reading = readings(subjects, options).find(({ name }) => name === 'W3');
  if (!reading) throw new Error('There is no reading W3.');
  const loadMaker = createLoadMaker([], []);
  const seconds = options.seconds * BURSTS_OF_REPORTS;
  const bare = await startLimit(await checkReading(reading, server.origin));
  const burst = (one: RunningServer, length: number) => loadMaker.burst(one, reading.load, length);
  await burst(bare, WARM_UP_SECONDS);
  await burst(server, WARM_UP_SECONDS);
  // Reads without reports are measured half before and half after, so that other work of the machine slows all alike.
  const half = Math.ceil(seconds / 2);
  const before = [await burst(bare, half), await burst(server, half)] as const;
  const [reported, times] = await Promise.all([
    burst(server, seconds),
    report(server, subjects, moderated.unreported, seconds),
  ]);
  const after = [await burst(bare, half), await burst(server, half)] as const;
  await bare.stop();

  const alone = (before[1].requestsPerSecond + after[1].requestsPerSecond) / 2;
  const share = reported.requestsPerSecond / alone;
  const rows = [
    ...[before[0], after[0]].map((one, index) => ({ what: `bare node:http, ${index ? 'after' : 'before'}`, one })),
    ...[before[1], after[1]].map((one, index) => ({ what: `without reports, ${index ? 'after' : 'before'}`, one })),
    { what: `while ${REPORTS_PER_SECOND} reports a second come, ${seconds} s`, one: reported },
  ].map(({ what, one }) => [
    what,
    whole(one.requestsPerSecond),
    (one.requestsPerSecond / alone).toFixed(2),
    ...[one.p50, one.p99].map((time) => time.toFixed(2)),
    one.processorTime.toFixed(1),
    one === reported ? `share ${GOALS.share}: ${verdict(share >= GOALS.share)}` : '',
  ]);
  const { p50, p99, worst } = latencyOf(times);
  const ofReports = `- ${whole(times.length)} reports meanwhile, all stored: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, worst ${worst.toFixed(1)} ms`;
  return { share, lines: [...table(READS_HEAD, rows, ['cached reads', 'goal']), '', ofReports] };
}

/** Measures what moderation reads and writes on a site with many reports and removals, and what it costs readers. */
export async function measureModeration(options: Options, say: (line: string) => void): Promise<Section> {
  const { engine, reviews } = options;
  const store = await openStore(options);
  const moderated = await moderate(store, Math.floor(reviews / REVIEWS_PER_REMOVAL), say);
  const subjects = await readSubjects(store);
  const load = describeLoad();
  const reads = await measureReads(store, options, moderated);
  for (const [what, p50, p99] of reads) say(`${what}: p50 ${p50} ms, p99 ${p99} ms`);
  const server = await startProduct(store, options);
  const decisions = await measureDecisions(server, subjects, moderated.admin);
  for (const [what, p50, p99] of decisions) say(`${what}: p50 ${p50} ms, p99 ${p99} ms`);
  const reported = await measureReported(server, subjects, moderated, options);
  say(`cached reads while reports come: share ${reported.share.toFixed(2)}`);
  await server.stop();
  const lines = await countRemovals(store);
  await store.remove();

  const amounts = `${whole(moderated.reports)} reports and ${whole(moderated.removals)} removals`;
  return writeSection(
    `Moderation on ${ENGINES[engine]}`,
    [`${whole(reviews)} reviews, ${amounts} on ${ENGINES[engine]}, one process; ${load}`],
    [
      ...table(HEAD, [...reads, ...decisions], ['one after the other', 'goal']),
      '',
      `Reads are uncached, ${whole(REQUESTS)} requests each; pages are walked from the first to the last and again. Decisions`,
      'are durable, and the author is sent a mail. The bare server sends the first answer again and again.',
      '',
      ...reported.lines,
      `- The chain of ${whole(lines)} removals, computed anew afterwards: whole`,
    ],
  );
}
