import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { openDatabase } from '../../src/server/database/open.ts';
import { call } from '../support/call.ts';
import { type Child, childEnv, waitForAddress } from '../support/child.ts';
import { createEntry, createUser, postReview, type RunningProduct, signIn } from '../support/rows.ts';
import { folderForTest, startChildForTest } from '../support/site.ts';

/** The warnings of settings that a process has logged. */
const warningsOf = ({ output }: Child) =>
  [...output.stdout.matchAll(/"event":"(no-mail-server|no-public-url)"/g)].map(([, event]) => event);

describe('the process', () => {
  test('in production without SMTP_URL and PUBLIC_URL it says so once each, and logs where a mail is without its code', async () => {
    const env = { NODE_ENV: 'production', DATA_DIR: folderForTest() };
    const child = startChildForTest(env);
    const url = await waitForAddress(child);
    const body = { username: 'mailed', email: 'mailed@example.org', password: 'correct horse battery staple' };
    expect((await call({ url }, 'POST /auth/signup', { body })).status).toBe(201);
    const written = () => /"path":"([^"]+\.eml)"/.exec(child.output.stdout)?.[1];
    while (!written()) await once(child.process.stdout as NodeJS.ReadableStream, 'data');
    const code = /^\d{6}$/m.exec(readFileSync(String(written()), 'utf8'))?.[0];
    expect(code).toBeDefined();
    expect(child.output.stdout).not.toContain(code);
    expect(warningsOf(child)).toEqual(['no-mail-server', 'no-public-url']);

    const complete = startChildForTest({
      ...env,
      SMTP_URL: 'smtp://127.0.0.1:1',
      PUBLIC_URL: 'https://reviews.example',
    });
    await waitForAddress(complete);
    expect(warningsOf(complete)).toEqual([]);
    const trial = startChildForTest({ DATA_DIR: folderForTest() });
    await waitForAddress(trial);
    expect(warningsOf(trial)).toEqual([]);
  });

  // Which values are bad, and what is said of each, is the subject of tests/unit/settings.test.ts.
  test.each([
    ['PORT', { PORT: '70000' }],
    ['HOST', { HOST: '203.0.113.9' }],
    ['TOKEN_SECRET_PREVIOUS', { TOKEN_SECRET_PREVIOUS: 'too short' }],
    ['DATABASE_LISTEN_URL', { DATABASE_URL: 'postgres://x/y', DATABASE_LISTEN_URL: 'nonsense' }],
  ])('a bad %s ends the start with one line that names it: %j', async (name, env) => {
    const child = startChildForTest({ DATA_DIR: folderForTest(), ...env } as Record<string, string>);
    expect(await child.exit).toBe(1);
    expect(child.output.stderr).toMatch(new RegExp(`^[^\\n]*${name}[^\\n]*Allowed: [^\\n]*\\n$`));
  });

  test('a folder that cannot be written, a taken port and a database that does not answer end it with one line', async () => {
    const dataDir = folderForTest();
    const file = join(dataDir, '..', 'a-file');
    writeFileSync(file, '');
    const blocked = startChildForTest({ DATA_DIR: join(file, 'below') });
    expect(await blocked.exit).toBe(1);
    expect(blocked.output.stderr).toMatch(/^DATA_DIR[^\n]*\n$/);
    const gone = startChildForTest({ DATA_DIR: dataDir, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    expect(await gone.exit).toBe(1);
    expect(gone.output.stderr).toMatch(/^DATABASE_URL [^\n]*ECONNREFUSED[^\n]*Allowed: [^\n]*\n$/);
    const first = startChildForTest({ DATA_DIR: dataDir });
    const taken = startChildForTest({ DATA_DIR: folderForTest(), PORT: new URL(await waitForAddress(first)).port });
    expect(await taken.exit).toBe(1);
    expect(taken.output.stderr).toMatch(/^PORT[^\n]*in use[^\n]*\n$/);
    for (const argument of ['--processes', 'x']) {
      const mistaken = startChildForTest({ DATA_DIR: folderForTest() }, [argument]);
      expect(await mistaken.exit).toBe(1);
      expect(mistaken.output.stderr).toMatch(/^Un[^\n]*argument[^\n]*\n$|^Unknown option[^\n]*\n$/);
    }
  });

  test('SIGTERM and SIGINT end it in order, and a second start finds everything', async () => {
    const dataDir = folderForTest();
    const child = startChildForTest({ DATA_DIR: dataDir, SAMPLE_DATA: 'on' });
    const url = await waitForAddress(child);
    const schools = (await call({ url }, 'GET /auth/schools')).text;
    expect(child.output.stdout).toMatch(/Admin: \S+@\S+ +Password: \S{20,}/);
    child.process.kill('SIGTERM');
    expect(await child.exit).toBe(0);
    const again = startChildForTest({ DATA_DIR: dataDir, SAMPLE_DATA: 'on' });
    const newUrl = await waitForAddress(again);
    expect((await call({ url: newUrl }, 'GET /auth/schools')).text).toBe(schools);
    expect(again.output.stdout).not.toContain('Password:');
    expect(await call({ url: newUrl }, 'GET /readyz')).toMatchObject({ status: 200 });
    again.process.kill('SIGINT');
    expect(await again.exit).toBe(0);
  });

  test('it ends when its parent has died, even before it listens for that', async () => {
    const env = { ...childEnv(), PORT: '0', DATA_DIR: folderForTest() };
    const child = fork('src/server/main.ts', { env, silent: true });
    onTestFinished(() => void child.kill('SIGKILL'));
    child.disconnect();
    expect((await once(child, 'exit'))[0]).toBe(0);
  });

  test("in production the sample admin's printed password is warned of until it is changed", async () => {
    const dataDir = folderForTest();
    const run = async (env: Record<string, string>, use: (url: string) => Promise<void> = async () => {}) => {
      const child = startChildForTest({ DATA_DIR: dataDir, ...env });
      await use(await waitForAddress(child));
      child.process.kill('SIGTERM');
      expect(await child.exit).toBe(0);
      return child.output.stdout;
    };
    const warningsOf = (stdout: string) => stdout.split('\n').filter((line) => line.includes('"printed-password"'));

    const first = await run({ SAMPLE_DATA: 'on' });
    const [, email = '', currentPassword = ''] = /Admin: (\S+) +Password: (\S+)/.exec(first) ?? [];
    expect(warningsOf(first)).toEqual([]);
    const warned = warningsOf(
      await run({ NODE_ENV: 'production' }, async (url) => {
        const body = { email, password: currentPassword };
        const { token } = (await call({ url }, 'POST /auth/login', { body })).body;
        const change = { currentPassword, newPassword: 'three green boats at dawn' };
        expect((await call({ url }, 'POST /auth/changePassword', { token, body: change })).status).toBe(200);
      }),
    );
    expect(warned.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, msg: expect.stringContaining('still has the password that was printed') },
    ]);
    expect(warningsOf(await run({ NODE_ENV: 'production' }))).toEqual([]);
  });

  test('SIGTERM cuts nobody who keeps asking: each answer says that its connection ends, until no connection is taken', async () => {
    const child = startChildForTest({ DATA_DIR: folderForTest(), RATE_LIMIT: 'off' });
    const url = await waitForAddress(child);
    child.process.kill('SIGTERM');
    const answers: string[] = [];
    // Until a connection is refused.
    for (;;) {
      const answer = await call({ url }, 'GET /auth/schools').catch(() => undefined);
      if (!answer) break;
      answers.push(`${answer.status} ${answer.headers.get('connection')}`);
    }
    expect(await child.exit).toBe(0);
    expect(new Set(answers.slice(answers.indexOf('200 close')))).toEqual(new Set(['200 close']));
    expect(new Set(answers).difference(new Set(['200 keep-alive', '200 close']))).toEqual(new Set());
  });

  test.each([
    ['unhandledRejection', 'Promise.reject(new Error("boom"))'],
    ['uncaughtException', 'setImmediate(() => { throw new Error("boom") })'],
  ])('an %s is logged as a line like all others, and ends it with 1', async (origin, failure) => {
    const preload = `data:text/javascript,${encodeURIComponent(`process.on("SIGUSR2", () => { ${failure} })`)}`;
    const child = startChildForTest({ DATA_DIR: folderForTest(), NODE_OPTIONS: `--import ${preload}` });
    await waitForAddress(child);
    child.process.kill('SIGUSR2');
    expect(await child.exit).toBe(1);
    const logged = child.output.stdout.split('\n').filter((line) => line.includes('"crash"'));
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      { level: 60, event: 'crash', origin, err: { message: 'boom', stack: expect.stringContaining('boom') } },
    ]);
  });

  test('the next start says that one was killed, and nothing of one that was stopped', async () => {
    const env = { DATA_DIR: folderForTest() };
    const eventsOf = ({ output }: Child) =>
      [...output.stdout.matchAll(/"event":"(started|stopping|process-died)"/g)].map(([, event]) => event);
    const first = startChildForTest(env);
    const { port: PORT } = new URL(await waitForAddress(first));
    first.process.kill('SIGTERM');
    await first.exit;
    const killed = startChildForTest({ ...env, PORT });
    await waitForAddress(killed);
    expect(eventsOf(first)).toEqual(['started', 'stopping']);
    await expect.poll(() => eventsOf(killed)).toEqual(['started']);
    killed.process.kill('SIGKILL');
    await killed.exit;
    const next = startChildForTest({ ...env, PORT });
    await waitForAddress(next);
    await expect.poll(() => eventsOf(next)).toEqual(['process-died', 'started']);
    expect(next.output.stdout).toContain(`"died":{"pid":${killed.process.pid},`);
    next.process.kill('SIGTERM');
    await next.exit;
    const last = startChildForTest({ ...env, PORT });
    await waitForAddress(last);
    await expect.poll(() => eventsOf(last)).toEqual(['started']);
  });

  test('acknowledged reviews survive kill -9, four times over', async () => {
    const dataDir = folderForTest();
    const [category] = CATEGORIES as [(typeof CATEGORIES)[number]];
    const env = { DATA_DIR: dataDir, RATE_LIMIT: 'off', LOG_LEVEL: 'silent' };
    const acknowledged = new Map<number, string>();
    let child = startChildForTest(env);
    let url = await waitForAddress(child);
    for (let round = 0; round < 4; round += 1) {
      const database = await openDatabase({ sqlite: join(dataDir, 'school-reviews.sqlite') });
      // Only what the factories need: the product itself is the child.
      const outside = { app: { database }, dataDir, clock: { ahead: 0 }, url } as unknown as RunningProduct;
      const entry = await createEntry(outside, category);
      const users = await Promise.all(Array.from({ length: 12 }, () => createUser(outside)));
      users[0] = { ...(users[0] as (typeof users)[0]), token: await signIn(outside, users[0]?.id ?? 0) };
      await database.close();
      let answered = 0;
      const posts = users.map(async (user, index) => {
        const review = `round ${round}, review ${index}`;
        const answer = await postReview({ ...outside, url }, category, entry.id, user, { review }).catch(
          () => undefined,
        );
        if (answer?.status !== 201) return;
        acknowledged.set(answer.body.id, review);
        answered += 1;
        // Killed in the middle of the other posts, right after an acknowledgement.
        if (answered === 1 + 2 * round) child.process.kill('SIGKILL');
      });
      await Promise.all(posts);
      child.process.kill('SIGKILL');
      await child.exit;
      child = startChildForTest(env);
      url = await waitForAddress(child);
    }
    child.process.kill('SIGTERM');
    await child.exit;
    expect(acknowledged.size).toBeGreaterThanOrEqual(16);
    const database = await openDatabase({ sqlite: join(dataDir, 'school-reviews.sqlite') });
    const rows = await database.read.selectFrom('reviews').select(['id', 'review', 'entry_id', 'half_stars']).execute();
    const stored = new Map(rows.map(({ id, review }) => [id, review]));
    for (const [id, review] of acknowledged) expect(stored.get(id)).toBe(review);
    const counts = await database.read.selectFrom('review_counts').selectAll().execute();
    for (const entry of counts) {
      const own = rows.filter(({ entry_id }) => entry_id === entry.entry_id);
      expect(entry.review_count).toBe(own.length);
      expect(entry.half_star_sum).toBe(own.reduce((sum, { half_stars }) => sum + half_stars, 0));
    }
    await database.close();
  }, 120_000);
});
