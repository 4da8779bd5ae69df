import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { expect } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { call } from './call.ts';
import { amounts, type CommandResult, createTarget, createWorkplace, inDatabase, runCommand } from './command.ts';
import { createNamedEntry, insertDatedReview, merge } from './merging.ts';
import { hide, moderate, report } from './moderation.ts';
import { withClient } from './postgres.ts';
import { type Engine, type Product, startProduct } from './product.ts';
import { proposeEntry } from './proposals.ts';
import { createEntry, createSchool, createUser, PASSWORD, postReview, type TestUser, unique } from './rows.ts';

export const { folder, newDataDir, fileOf } = createWorkplace();

export interface Place {
  /** The environment of a product or command that works on it. */
  env: Record<string, string>;
}
interface Source extends Place {
  file: string;
}
interface Target extends Place {
  url: string;
}

export function newSource(): Source {
  const dataDir = newDataDir();
  return { env: { DATA_DIR: dataDir }, file: join(dataDir, 'school-reviews.sqlite') };
}

export async function newTarget(): Promise<Target> {
  const env = await createTarget('postgres', newDataDir());
  return { env, url: env.DATABASE_URL ?? '' };
}

/** A database with some of everything that the generate command makes. */
export async function generateSource(reviews = 3_000, { schools = 4, entries = 2 } = {}): Promise<Source> {
  const source = newSource();
  expect((await runCommand('generate', amounts(schools, entries, reviews), source.env)).code).toBe(0);
  return source;
}

/** An empty database of either engine. */
export const newPlace = (engine: Engine): Promise<Place> | Place => (engine === 'sqlite' ? newSource() : newTarget());

let exportCount = 0;

/** Exports a site. @returns the file, and the setting that must go along */
export async function exportSite(
  { env }: Place,
  run = runCommand,
): Promise<{ file: string; secret: Record<string, string> }> {
  exportCount += 1;
  const file = join(folder, `site-${exportCount}.gz`);
  const { code, stderr } = await run('export', [file], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const secret = join(env.DATA_DIR ?? '', 'token-secret');
  return { file, secret: existsSync(secret) ? { TOKEN_SECRET: readFileSync(secret, 'utf8') } : {} };
}

export const importSite = (
  { env }: Place,
  file: string,
  secret: Record<string, string> = {},
  run = runCommand,
): Promise<CommandResult> => run('import-site', [file], { ...env, ...secret });

/** Every row of every table, read with other queries than the command's own. */
export function rowsOf({ env }: Place): Promise<Record<string, string[]>> {
  return inDatabase(env, async ({ read, engine }) => {
    const { rows: tables } = await (engine === 'sqlite'
      ? sql<{
          name: string;
        }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite~_%' escape '~'`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`
    ).execute(read);
    // Not data of a site, and different on each engine.
    const schema = ['migrations', 'served_versions', 'change_log', 'replica_beats'];
    const names = tables.map(({ name }) => name).filter((name) => !schema.includes(name));
    const all: Record<string, string[]> = {};
    for (const name of names.sort()) {
      const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(read);
      all[name] = rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
    }
    return all;
  });
}

export function query(url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  return withClient(url, async (client) => (await client.query(text, values)).rows);
}

/** Runs a statement and keeps its locks until `letGo`. */
export async function holdLocks(url: string, statement: string) {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('begin');
  await client.query(statement);
  return { letGo: () => client.end() };
}

/** Waits until a statement in this database waits for a lock. */
export async function waitForLock(url: string): Promise<void> {
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await query(url, waiting)).length === 0) await setTimeout(5);
}

/** Starts the product on a database that the test knows of. */
export async function startOn({ env }: Place, more: Record<string, string> = {}): Promise<Product> {
  const product = await startProduct(env.DATABASE_URL ? 'postgres' : 'sqlite', { ...env, ...more });
  return { ...product, dataDir: env.DATA_DIR ?? '' };
}

/** The public responses about schools, entries and reviews. */
export async function publicAnswers(product: Product, ids: { schools: number[]; entries: number[] }) {
  const addresses = [
    '/auth/schools',
    '/auth/schools?prefix=%C3%89c&limit=3',
    '/sitemap.xml',
    ...ids.schools.map((id) => `/auth/getSchool/${id}`),
    ...CATEGORIES.flatMap(({ calls }) => [
      `/auth/${calls.leaderboard}`,
      ...ids.schools.map((id) => `/auth/${calls.list}/${id}`),
      ...ids.entries.flatMap((id) =>
        [calls.nameLookup, calls.details, calls.averageRating, calls.totalReviews, calls.reviews].map(
          (name) => `/auth/${name}/${id}`,
        ),
      ),
      ...ids.entries.map((id) => `/auth/${calls.reviews}/${id}?limit=1`),
    ]),
  ];
  const answers: Record<string, unknown> = {};
  for (const address of addresses) {
    const { status, text, headers } = await call(product, `GET ${address}`);
    answers[address] = { status, text: text.replaceAll(product.url, ''), link: headers.get('link') };
  }
  return answers;
}

/** Makes signed, anonymous, corrected and withdrawn reviews in each category, and some of all other data. */
export async function fillSite(product: Product) {
  const [admin, author, other, leaver] = await Promise.all(
    [true, false, false, false].map((isAdmin) => createUser(product, { isAdmin })),
  );
  if (!admin || !author || !other || !leaver) throw new Error('there are no users');
  const schools = [
    await createSchool(product, 'École du Lac'),
    await createSchool(product, 'zebra "College" \u{1F993}'),
  ];
  const entries: number[] = [];
  let lastReview = 0;
  let lastHeld = 0;
  for (const category of CATEGORIES) {
    const { id } = await createEntry(product, category, schools[entries.length % 2]?.id);
    entries.push(id);
    await postReview(product, category, id, author, {
      ...{ rating: 3.5, review: 'Fine\nin "parts" – mostly.', relation: 'alumnus', since: 2015, until: 2019 },
    });
    await postReview(product, category, id, leaver, { rating: 1, username: null });
    const { body } = await postReview(product, category, id, other, { rating: 2 });
    lastHeld = body.id;
    const change = { id: body.id, rating: 5, review: 'Better now.', username: null };
    await call(product, `PUT /auth/${category.calls.updateReview}`, { token: other.token, body: change });
    lastReview = (await postReview(product, category, id, admin)).body.id;
    await call(product, `DELETE /auth/${category.calls.removeReview}/${lastReview}`, { token: admin.token });
  }
  await call(product, `DELETE /auth/deleteUser/${leaver.id}`, { token: admin.token });
  const { body: mine } = await call(product, 'GET /auth/getMyReviews?limit=1', { token: author.token });
  const reviewId = mine[0].id as number;
  await call(product, `POST /auth/markHelpful/${reviewId}`, { token: other.token });
  await report(product, other, reviewId);
  await hide(product, admin, reviewId);
  await call(product, `POST /auth/appealReview/${reviewId}`, { token: author.token, body: { text: 'I was there.' } });
  await moderate(product, admin, reviewId, { action: 'restore' });
  await moderate(product, admin, lastHeld, { action: 'hide', reason: 'spam', isHeld: true });
  // No held hide may be completed while the site is moved.
  await product.app.database.write((db) =>
    db.updateTable('held_hides').set({ due_at: Number.MAX_SAFE_INTEGER }).execute(),
  );
  const preferences = { userId: author.id, major: 'Marine biology', personal: 'Boats' };
  await call(product, 'POST /auth/postProfile', { token: author.token, body: preferences });
  await call(product, `PUT /auth/saveSchool/${schools[0]?.id}`, { token: author.token });
  await fillMerged(product, admin, author);
  const proposed = {
    schoolId: schools[0]?.id ?? 0,
    name: 'Proposed',
    review: { rating: 4.5, review: 'Missing so far.' },
  };
  await proposeEntry(product, author, proposed);
  await proposeEntry(product, other, { ...proposed, review: { rating: 2, review: 'Joined and waiting.' } });
  const username = unique('renamed');
  const changed = { password: PASSWORD, username, email: `${username}@example.org` };
  await call(product, 'PUT /auth/updateMyAccount', { token: other.token, body: changed });
  const { id: gone, schoolId } = await createEntry(product, CATEGORIES[0] as Category);
  await postReview(product, CATEGORIES[0] as Category, gone, author);
  await call(product, `DELETE /auth/deleteSchool/${schoolId}`, { token: admin.token });
  return { admin, author, other: { ...other, username }, entries, schools: schools.map(({ id }) => id), lastReview };
}

/** Merges two schools: one entry replaces two, and one review supersedes another. */
async function fillMerged(product: Product, admin: TestUser, author: TestUser): Promise<void> {
  const [category] = CATEGORIES as [Category];
  const [from, into] = [await createSchool(product), await createSchool(product)];
  for (const [daysAgo, { id }] of [from, into].entries()) {
    const entry = await createNamedEntry(product, category, id, 'The same');
    await insertDatedReview(product, category, entry, author, { daysAgo });
  }
  expect((await merge(product, admin, from.id, into.id)).status).toBe(200);
}

export const logIn = (product: Product, { email }: TestUser, password: string) =>
  call(product, 'POST /auth/login', { body: { email, password } });
