import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { ERROR_LEVEL } from '../product.ts';
import { hashState } from '../state.ts';
import type { World } from '../world.ts';
import { type Case, problemsOf } from './case.ts';
import { type Reply, send } from './send.ts';

/** How many problems are listed: one cause makes hundreds. */
const SHOWN_MAX = 40;
const DATABASE_FILE = 'school-reviews.sqlite';

/** Tells whether another connection has committed since it was asked before. Only SQLite can tell. */
function watchCommits({ product }: World): { hasCommitted(): boolean; close(): void } {
  if (product.engine !== 'sqlite') return { hasCommitted: () => false, close() {} };
  const connection = new DatabaseSync(join(product.dataDir, DATABASE_FILE), { readOnly: true });
  const statement = connection.prepare('pragma data_version');
  const read = () => statement.get()?.data_version;
  let last = read();
  return {
    hasCommitted() {
      const now = read();
      const isChanged = now !== last;
      last = now;
      return isChanged;
    },
    close: () => connection.close(),
  };
}

const isSame = (one: Record<string, string>, other: Record<string, string>) =>
  Object.keys(one).every((table) => one[table] === other[table]);

/** Expects that the product still reads and writes. */
async function expectCanary({ product, other }: World): Promise<void> {
  const read = await send(product, { method: 'GET', path: '/auth/schools' });
  const body = JSON.stringify({ userId: other.id, personal: 'a canary' });
  const headers = { 'Content-Type': 'application/json' };
  const write = await send(product, { method: 'POST', path: '/auth/postProfile', token: other.token, headers, body });
  expect([read.status, write.status]).toEqual([200, 201]);
}

/** Expects no error in the log lines from this index on: those before are of earlier tests. */
function expectQuiet({ product }: World, from: number): void {
  expect(product.logs.slice(from).filter(({ level }) => level >= ERROR_LEVEL)).toEqual([]);
}

/** Sends all cases: each must be refused as every refusal is, and together they must change no row. */
export async function expectRefusals(world: World, cases: readonly Case[]): Promise<void> {
  expect(cases.length).toBeGreaterThan(0);
  const { product } = world;
  const logged = product.logs.length;
  const before = await hashState(product);
  const commits = watchCommits(world);
  const problems: string[] = [];
  for (const one of cases) {
    const found = problemsOf(one, await send(product, one));
    // On SQLite a rollback counts as a commit too, so the rows are compared.
    if (commits.hasCommitted() && !isSame(await hashState(product), before)) found.push('something changed');
    for (const problem of found) problems.push(`${one.name} | ${one.method} ${one.path.slice(0, 80)}: ${problem}`);
  }
  commits.close();
  expect(problems.slice(0, SHOWN_MAX)).toEqual([]);
  expect(await hashState(product)).toEqual(before);
  expectQuiet(world, logged);
  await expectCanary(world);
}

/** Sends cases that are unusual but valid; the caller checks the answers. */
export async function expectAnswers<C extends Omit<Case, 'status'>>(
  world: World,
  cases: readonly C[],
  check: (one: C, reply: Reply) => Promise<string[]> | string[],
): Promise<void> {
  expect(cases.length).toBeGreaterThan(0);
  const logged = world.product.logs.length;
  const problems: string[] = [];
  for (const one of cases) {
    const reply = await send(world.product, one);
    const found = reply.status < 500 ? await check(one, reply) : [`status ${reply.status}`];
    for (const problem of found) problems.push(`${one.name} | ${one.method} ${one.path.slice(0, 80)}: ${problem}`);
  }
  expect(problems.slice(0, SHOWN_MAX)).toEqual([]);
  expectQuiet(world, logged);
  await expectCanary(world);
}
