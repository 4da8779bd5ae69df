// npm run bench [-- --reviews N --seconds N]: the product against a bare node:http with the same bytes, in one run.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CATEGORIES } from '../src/contract/categories.ts';
import { openSession, signToken } from '../src/server/accounts/sessions.ts';
import { openDatabase } from '../src/server/database/open.ts';
import { openKeys } from '../src/server/security/secrets.ts';
import { type Burst, burst, type Load, median } from './bursts.ts';
import { startBare, startProduct } from './servers.ts';

const ROOT = path.dirname(import.meta.dirname);
const ROUNDS = 3;
const POSTS = 60_000;
const [category] = CATEGORIES as [(typeof CATEGORIES)[number]];

const { values: options } = parseArgs({
  options: {
    reviews: { type: 'string', default: '400000' },
    schools: { type: 'string', default: '2000' },
    entries: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
  },
});
const seconds = Number(options.seconds);

/** Makes the data once and keeps it: the same numbers give the same data. */
function prepareData(): string {
  const { schools, entries, reviews } = options;
  const dataDir = path.join(ROOT, 'bench/.data', `${schools}-${entries}-${reviews}`);
  if (existsSync(path.join(dataDir, 'done'))) return dataDir;
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  const args = ['--schools', schools, '--entries', entries, '--reviews', reviews];
  const generate = path.join(ROOT, 'src/server/commands/generate.ts');
  const { status } = spawnSync(process.execPath, [generate, ...args], {
    stdio: 'inherit',
    env: { ...process.env, DATA_DIR: dataDir },
  });
  if (status !== 0) throw new Error('The data could not be generated.');
  writeFileSync(path.join(dataDir, 'done'), '');
  return dataDir;
}

interface Facts {
  hottest: number;
  ordinary: number;
  posts: { token: string; body: string }[];
}

/** Entries to read, and posts that are each new: users of the data, signed in, and entries they have not reviewed. */
async function readFacts(dataDir: string): Promise<Facts> {
  const database = await openDatabase({ sqlite: path.join(dataDir, 'school-reviews.sqlite') });
  const entries = await database.read
    .selectFrom('entries')
    .select(['id', 'rating_count'])
    .where('kind', '=', category.kind)
    .orderBy('rating_count', 'desc')
    .execute();
  const users = await database.read.selectFrom('users').selectAll().limit(100).execute();
  const key = openKeys(undefined, dataDir).token;
  const now = Date.now();
  const tokens = await Promise.all(
    users.map(async (user) => {
      const session = await database.write((db) => openSession(db, user.id, now));
      return { user, token: await signToken(key, session, user, now) };
    }),
  );
  const taken = new Set(
    (
      await database.read
        .selectFrom('reviews')
        .select(['entry_id', 'user_id'])
        .where(
          'user_id',
          'in',
          users.map(({ id }) => id),
        )
        .execute()
    ).map(({ entry_id, user_id }) => `${entry_id}/${user_id}`),
  );
  await database.close();
  const text = 'Measured words of about three hundred characters. '.repeat(6);
  const posts = entries
    .flatMap(({ id }) => tokens.map(({ user, token }) => ({ id, user, token })))
    .filter(({ id, user }) => !taken.has(`${id}/${user.id}`))
    .slice(0, POSTS)
    .map(({ id, token }) => ({ token, body: JSON.stringify({ [category.itemKey]: { id }, rating: 4, review: text }) }));
  const ordinary = entries.find(({ rating_count }) => rating_count <= 100)?.id ?? 0;
  return { hottest: entries[0]?.id ?? 0, ordinary, posts };
}

interface Workload {
  name: string;
  goal: number;
  load: Load;
}

function workloads({ hottest, ordinary }: Facts): Workload[] {
  const { reviews, averageRating, leaderboard } = category.calls;
  const of = (name: string, goal: number, ...paths: string[]): Workload => ({ name, goal, load: { paths } });
  return [
    of('W1 all schools', 0.9, '/auth/schools'),
    of('W2 20 newest reviews', 0.9, `/auth/${reviews}/${hottest}?limit=20`),
    of('W2b 100 reviews', 0.9, `/auth/${reviews}/${hottest}`),
    of('W3 average', 0.9, `/auth/${averageRating}/${ordinary}`),
    of('W3h average, hottest', 0.9, `/auth/${averageRating}/${hottest}`),
    of('W4 leaderboard', 0.9, `/auth/${leaderboard}`),
    of(
      'W6 prefix search',
      0.8,
      ...['a', 'u', 'co', 'in', 'st'].map((prefix) => `/auth/schools?prefix=${prefix}&limit=5`),
    ),
  ];
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'school-reviews-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

interface Measured extends Burst {
  name: string;
  share: number;
  goal: number;
}

/** Limit, product, limit: three times, so that what the machine does meanwhile hits both. */
async function measure({ name, goal, load }: Workload, origin: string): Promise<Measured> {
  const body = Buffer.from(await (await fetch(origin + load.paths[0], { headers: load.headers })).arrayBuffer());
  const bodyFile = path.join(folder, 'body');
  writeFileSync(bodyFile, body);
  const bare = await startBare(bodyFile);
  burst(origin, load, folder, 1);
  const limits: Burst[] = [burst(bare.origin, load, folder, seconds)];
  const bursts: Burst[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bursts.push(burst(origin, load, folder, seconds));
    limits.push(burst(bare.origin, load, folder, seconds));
  }
  await bare.stop();
  const speed = ({ requestsPerSecond }: Burst) => requestsPerSecond;
  const middle = median(bursts, speed);
  if (bursts.some(({ failures }) => failures > 0)) throw new Error(`${name}: some answers were failures.`);
  return { ...middle, name, goal, share: speed(middle) / speed(median(limits, speed)) };
}

const dataDir = prepareData();
const facts = await readFacts(dataDir);
const product = await startProduct({ DATA_DIR: dataDir });
const atRest = product.memory();
const measured: Measured[] = [];
for (const workload of workloads(facts)) measured.push(await measure(workload, product.origin));

const etag = (await fetch(`${product.origin}/auth/schools`)).headers.get('etag') ?? '';
const unchanged = {
  name: 'W1 not modified',
  goal: 0.9,
  load: { paths: ['/auth/schools'], headers: { 'If-None-Match': etag } },
};
measured.push(await measure(unchanged, product.origin));

const posting: Workload = {
  name: 'W5 post a review',
  goal: 0.18,
  load: { paths: [`/auth/${category.calls.postReview}`], posts: facts.posts },
};
const posted = burst(product.origin, posting.load, folder, Math.min(seconds, 4));
writeFileSync(path.join(folder, 'body'), JSON.stringify({ id: 1, review: 'x'.repeat(300), rating: 4 }));
const bare = await startBare(path.join(folder, 'body'));
const limit = burst(bare.origin, posting.load, folder, Math.min(seconds, 4));
await bare.stop();
measured.push({
  ...posted,
  name: posting.name,
  goal: posting.goal,
  share: posted.requestsPerSecond / limit.requestsPerSecond,
});
const afterAll = product.memory();
await product.stop();
const again = await startProduct({ DATA_DIR: dataDir });
await again.stop();
// What was posted would make the next run's posts clash.
rmSync(dataDir, { recursive: true, force: true });

const rows = measured.map(
  ({ name, requestsPerSecond, p50, p99, share, goal, failures }) =>
    `| ${name} | ${Math.round(requestsPerSecond).toLocaleString('en')} | ${p50.toFixed(2)} | ${p99.toFixed(2)} | ${share.toFixed(2)} | ${goal} | ${share >= goal ? 'met' : 'missed'} | ${failures} |`,
);
const report = [
  '# Measured speed',
  '',
  `${new Date().toISOString().slice(0, 10)}, ${os.cpus()[0]?.model} (${os.cpus().length} cores: one serves, one asks), Node ${process.version}, SQLite (WAL, FULL), ${options.reviews} reviews, bursts of ${seconds} s, median of ${ROUNDS}.`,
  '',
  '| workload | requests/s | p50 ms | p99 ms | share of bare node:http | goal | | failed |',
  '|---|---:|---:|---:|---:|---:|---|---:|',
  ...rows,
  '',
  `Resident memory without mapped files: ${Math.round(atRest)} MB at rest, ${Math.round(afterAll)} MB after all of it. A further start answers after ${Math.round(again.readyAfter)} ms.`,
  '',
].join('\n');
writeFileSync(path.join(ROOT, 'bench/results.md'), report);
console.log(report);
