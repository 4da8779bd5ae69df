import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { type Child, startChild } from './child.ts';
import { startModelServer } from './model-server.ts';
import { checkAndStop } from './moderation.ts';
import { createFolder, ENGINES, type Engine, type Product, startProduct } from './product.ts';
import { createUser, type RunningProduct, type TestUser, type UserOptions } from './rows.ts';
import { createWorld, type World } from './world.ts';

/** An object that is filled before the first test of the surrounding block, and empty until then. */
function createBeforeAll<T extends object>(create: () => Promise<T>): T {
  const created = {} as T;
  beforeAll(async () => void Object.assign(created, await create()));
  return created;
}

type Env = Record<string, string>;
/** As `startProduct` takes it, after the settings. */
type FillClient = [fillClient?: Parameters<typeof startProduct>[2]];

/** A model on loopback that the tests of the surrounding block share, and the settings of a product that asks it. */
export function modelOf() {
  const model = createBeforeAll(startModelServer);
  afterAll(() => model.stop());
  return { model, asking: (): Env => ({ LLM_BASE_URL: model.url, LLM_MODEL: 'test', LLM_API_KEY: 'secret' }) };
}

/**
 * The product that the tests of the surrounding block share, on a database of its own. When they have run, it stops, and
 * the block fails if counts, states or the chain of removals are not as the rows say.
 * @param env settings, or what makes them once servers that they name are there
 */
export function productOf(engine: Engine, env: Env | (() => Env) = {}, ...more: FillClient): Product {
  const product = createBeforeAll(() => startProduct(engine, typeof env === 'function' ? env() : env, ...more));
  afterAll(() => checkAndStop(product));
  return product;
}

/** A product for one test, which stops when it has run. */
export async function startForTest(...given: Parameters<typeof startProduct>): Promise<Product> {
  const product = await startProduct(...given);
  onTestFinished(() => product.stop());
  return product;
}

/** A folder for the data of one test. */
export function folderForTest(): string {
  const { dataDir, remove } = createFolder();
  onTestFinished(remove);
  return dataDir;
}

/** The product as a process for one test, which is killed when it has run. */
export function startChildForTest(...given: Parameters<typeof startChild>): Child {
  const child = startChild(...given);
  onTestFinished(async () => {
    child.process.kill('SIGKILL');
    await child.exit;
  });
  return child;
}

/** A user of that product, whom the tests of the block share. */
export const userOf = (product: RunningProduct, options?: UserOptions): TestUser =>
  createBeforeAll(() => createUser(product, options));

export const usersOf = (product: RunningProduct, length: number): TestUser[] =>
  Array.from({ length }, () => userOf(product));

export const adminOf = (product: RunningProduct): TestUser => userOf(product, { isAdmin: true });

/** A user, another one and an admin, with profiles. */
export const worldOf = (product: Product): World => createBeforeAll(() => createWorld(product));

type Block = (product: Product, engine: Engine) => void;

/**
 * Tests that share a product on each engine.
 * @param title with %s for the engine
 * @param given settings of the product, if it has any, and what is tested of it
 */
export function describeProduct(title: string, ...given: [Block] | [Env, Block]): void {
  const [env, block] = given.length === 1 ? [{}, ...given] : given;
  describe.each(ENGINES)(title, (engine) => block(productOf(engine, env), engine));
}
