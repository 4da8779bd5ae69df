import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { createWorkplace, expectRefusal, runCommand } from '../support/command.ts';
import { readMetric } from '../support/metrics.ts';
import { createReviewOf, report } from '../support/moderation.ts';
import { dataOf, ENGINES, type Product } from '../support/product.ts';
import { createUser } from '../support/rows.ts';
import { describeProduct, startForTest } from '../support/site.ts';

const HAS_PROMTOOL = spawnSync('promtool', ['--version']).status === 0;
const promtool = (args: string[], input = '') => spawnSync('promtool', args, { input, encoding: 'utf8' });

/** The metrics that an expression asks for. */
const namesIn = (expression: string) =>
  [...expression.matchAll(/\b([a-z]\w+)\{/g)].map(([, name = '']) => name.replace(/_bucket$/, ''));

const { folder, newDataDir } = createWorkplace();

const rules = readFileSync('deploy/prometheus/rules.yml', 'utf8');
const dashboard = JSON.parse(readFileSync('deploy/grafana/school-reviews.json', 'utf8'));
const ASKED = new Set([
  ...namesIn(rules),
  ...dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.flatMap(({ expr }) => namesIn(expr)),
  ),
]);

/** Metrics that Prometheus itself adds. */
const OF_PROMETHEUS = ['up'];

describeProduct('metrics and logs on %s', (product, engine) => {
  const textOf = async () => (await call(product, 'GET /metrics')).text;

  test('has every metric that the alerts and the dashboard ask for', async () => {
    const text = await textOf();
    const there = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
    expect(ASKED.size).toBeGreaterThan(20);
    expect([...ASKED].filter((name) => !there.has(name) && !OF_PROMETHEUS.includes(name))).toEqual([]);
    for (const [, name = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
    }
  });

  // A series that begins with the first refusal hides that one from rate(), and its panel has no data until then.
  test.each([400, 413])('has refused bodies with %s before there are any', async (status) => {
    expect(await readMetric(product, `refused_bodies_total{status="${status}"}`)).toBe(0);
  });

  test.runIf(HAS_PROMTOOL)('passes promtool', async () => {
    const { stdout, stderr, status } = promtool(['check', 'metrics'], await textOf());
    expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 });
  });

  test('says what waits, what was done and whether the database answers', async () => {
    const before = await readMetric(product, 'site_acts_total{act="reports"}');
    const { reviewId } = await createReviewOf(product);
    await report(product, await createUser(product), reviewId);
    // What was read from the database is reused for two seconds.
    await expect.poll(() => readMetric(product, 'site_acts_total{act="reports"}'), { timeout: 5_000 }).toBe(before + 1);
    expect(await readMetric(product, 'open_decisions{kind="reviews"}')).toBe(1);
    expect(await readMetric(product, 'database_up')).toBe(1);
    expect(await readMetric(product, 'mails_queued')).toBe(0);
    expect(Math.abs(await readMetric(product, 'database_clock_offset_seconds'))).toBeLessThan(2);
    if (engine === 'postgres')
      expect(await readMetric(product, 'database_connections{state="idle"}')).toBeGreaterThan(0);
  });

  test('says how long answers and queues take, and what is refused before a call is made', async () => {
    const sums = ['cached_response_seconds_count', 'http_queue_seconds_count', 'refused_bodies_total{status="400"}'];
    const read = () => Promise.all(sums.map((name) => readMetric(product, name)));
    await call(product, 'GET /auth/schools');
    const [cached = 0, queued = 0] = await read();
    // One cached response in sixteen is timed.
    for (let asked = 0; asked < 32; asked += 1) await call(product, 'GET /auth/schools');
    await call(product, 'POST /auth/login', { raw: '{"email":', headers: { 'Content-Type': 'application/json' } });
    const after = await read();
    expect(after[0]).toBe(cached + 2);
    expect(after[1]).toBeGreaterThan(queued);
    expect(after[2]).toBe(1);
  });

  test('logs a clock that is off, and the commands that were run', async () => {
    const linesOf = (...events: string[]) => product.logs.filter(({ event }) => events.includes(event ?? ''));
    await runCommand('admin', ['explain', 'nobody@example.org'], dataOf(product));
    await expect
      .poll(() => linesOf('command'), { timeout: 10_000 })
      .toMatchObject([{ command: 'admin explain', code: 1, seconds: expect.any(Number), endedAt: expect.any(String) }]);
    expect(JSON.stringify(linesOf('command'))).not.toContain('nobody');
    if (engine === 'sqlite') return;
    product.clock.ahead = 3_000;
    await expect.poll(() => linesOf('clock-off').length, { timeout: 10_000 }).toBe(1);
    await expect
      .poll(() => readMetric(product, 'database_clock_offset_seconds'), { timeout: 5_000 })
      .toBeGreaterThan(2.5);
    product.clock.ahead = 0;
    await expect.poll(() => linesOf('clock-right').length, { timeout: 10_000 }).toBe(1);
  });

  test('finds a request by the id on its answer, made or refused', async () => {
    const login = await call(product, 'POST /auth/login', { body: { email: 'a@example.org', password: 'x' } });
    const id = login.headers.get('x-request-id');
    expect(id).toMatch(/^[\w-]{36}$/);
    await expect.poll(() => product.logs.filter(({ reqId }) => reqId === id).length).toBe(2);
    const found = await call(product, 'GET /auth/getSchoolTotals');
    const page = await call(product, 'GET /nowhere');
    const misspelled = await call(product, 'GET /auth/getSchool/%zz');
    const ids = [login, found, page, misspelled].map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(4);
    expect(ids).not.toContain(null);
  });
});

test.runIf(ENGINES.includes('postgres'))('the queries of a scrape do not count as waiting', async () => {
  const product = await startForTest('postgres');
  expect(await readMetric(product, 'database_connections_waited_for')).toBe(0);
  // Polled, because the product itself queries the database from time to time.
  await expect.poll(() => readMetric(product, 'database_connections{state="used"}')).toBe(0);
});

test.runIf(HAS_PROMTOOL)('each alert fires once', { timeout: 30_000 }, () => {
  expect(promtool(['check', 'rules', 'deploy/prometheus/rules.yml']).status).toBe(0);
  const { stdout, stderr, status } = promtool(['test', 'rules', 'deploy/prometheus/rules.test.yml']);
  expect({ stdout, stderr, status }).toMatchObject({ status: 0 });
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  const fired = readFileSync('deploy/prometheus/rules.test.yml', 'utf8');
  expect(alerts.filter((name) => !fired.includes(`alertname: ${name}\n`))).toEqual([]);
});

test('a request keeps the id of a trusted proxy, and of nobody else', async () => {
  const given = { 'X-Request-Id': 'a1b2c3d4e5f6a7b8c9d0' };
  for (const [TRUST_PROXY, isKept] of [
    ['127.0.0.1', true],
    ['off', false],
  ] as const) {
    const product = await startForTest('sqlite', { TRUST_PROXY });
    const { headers } = await call(product, 'GET /readyz', { headers: given });
    expect(headers.get('x-request-id') === given['X-Request-Id']).toBe(isKept);
  }
});

describe('a backup', () => {
  test('is proved without restoring it, and its time is told', async () => {
    const product = await startForTest('sqlite');
    await createReviewOf(product);
    const [backup, damaged] = [`${folder}/good.sqlite`, `${folder}/damaged.sqlite`];
    const env = dataOf(product);
    expect(await readMetric(product, 'backup_last_success_timestamp_seconds')).toBe(0);
    expect((await runCommand('backup', [backup], env)).code).toBe(0);
    const age = Date.now() / 1000 - (await readMetric(product, 'backup_last_success_timestamp_seconds'));
    expect(age).toBeLessThan(60);
    const proved = await runCommand('check', [backup], env);
    expect(proved.stdout).toMatch(/it can be restored, with .*1 review/);
    expect(globSync(`${folder}/*`)).toEqual([backup]);
    writeFileSync(damaged, readFileSync(backup).subarray(0, 40_000));
    await expectRefusal(runCommand('check', [damaged], env), 'damaged');
    await expectRefusal(runCommand('check', [`${folder}/none`], env), 'There is no file');
    await expectRefusal(runCommand('check', [backup, 'more'], env), 'Usage: npm run check-data');
  });
});

const fileOf = (product: { dataDir: string }) => join(product.dataDir, 'maintenance');
const modesOf = ({ logs }: Pick<Product, 'logs'>) =>
  logs.filter(({ event }) => event === 'maintenance').map(({ mode }) => mode);

test('a site in maintenance is read and not changed, and says so, without a restart', async () => {
  const product = await startForTest('sqlite', { MAINTENANCE: 'off' });
  const user = await createUser(product);
  const save = () =>
    call(product, 'POST /auth/login', { body: { email: user.email, password: 'plain sailing on tuesdays' } });
  const pageSays = async () => (await call(product, 'GET /about')).text.includes('nothing can be saved');
  expect([(await save()).status, await pageSays()]).toEqual([200, false]);
  expect((await runCommand('admin', ['maintenance', 'read'], dataOf(product))).code).toBe(0);
  await expect.poll(async () => (await save()).status, { timeout: 5_000 }).toBe(503);
  const refused = await save();
  expect(refused.body).toMatchObject({ code: 'maintenance', error: expect.stringMatching(/nothing can be saved/) });
  expect(refused.headers.get('retry-after')).toBe('60');
  expect((await call(product, 'GET /auth/schools')).status).toBe(200);
  expect((await call(product, 'GET /auth/getMySessions', { token: user.token })).status).toBe(200);
  await expect.poll(pageSays).toBe(true);
  await expectRefusal(runCommand('admin', ['maintenance', 'on'], dataOf(product)), 'Allowed: read, off');
  await runCommand('admin', ['maintenance', 'off'], dataOf(product));
  await expect.poll(async () => (await save()).status, { timeout: 5_000 }).toBe(200);
  await expect.poll(pageSays).toBe(false);
  expect(statSync(fileOf(product)).mode & 0o777).toBe(0o644);
});

test('a start with MAINTENANCE=read is read-only although maintenance was ended before', async () => {
  const DATA_DIR = newDataDir();
  mkdirSync(DATA_DIR);
  writeFileSync(fileOf({ dataDir: DATA_DIR }), 'off\n');
  const product = await startForTest('sqlite', { DATA_DIR, MAINTENANCE: 'read' });
  const save = async () => (await call(product, 'POST /auth/signup', { body: {} })).status;
  expect(await save()).toBe(503);
  expect((await runCommand('admin', ['maintenance', 'off'], dataOf(product))).code).toBe(0);
  await expect.poll(save, { timeout: 5_000 }).toBe(400);
  expect(modesOf(product)).toEqual(['read', 'off']);
});

test('a mode that cannot be read ends neither the start nor the process, and changes nothing', async () => {
  const DATA_DIR = newDataDir();
  mkdirSync(fileOf({ dataDir: DATA_DIR }), { recursive: true });
  const product = await startForTest('sqlite', { DATA_DIR });
  const save = async () => (await call(product, 'POST /auth/signup', { body: {} })).status;
  const failures = () => product.logs.filter(({ event }) => event === 'maintenance-unknown').length;
  expect([await save(), failures()]).toEqual([400, 1]);
  rmSync(fileOf(product), { recursive: true });
  expect((await runCommand('admin', ['maintenance', 'read'], dataOf(product))).code).toBe(0);
  await expect.poll(save, { timeout: 5_000 }).toBe(503);
  rmSync(fileOf(product));
  mkdirSync(fileOf(product));
  await expect.poll(failures, { timeout: 5_000 }).toBe(2);
  expect(await save()).toBe(503);
});
