import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { generateData } from '../../src/server/data/generated/generate.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import { type Answer, call } from './call.ts';
import { createTarget } from './command.ts';
import { openPlanners, type Planner } from './plans.ts';
import { createFolder, type Engine, type Product, startProduct } from './product.ts';
import { createUser, type TestUser } from './rows.ts';
import { withDatabase } from './with-database.ts';

export const AMOUNTS = { schools: 600, entries: 1, reviews: 8_000, seed: 1 };

/** A product with much in it, and what the calls are made with. */
export interface Site {
  product: Product;
  user: TestUser;
  admin: TestUser;
  /** The entry with the most reviews of all. */
  entry: { id: number; schoolId: number };
  category: Category;
  planners: Planner[];
  stop(): Promise<void>;
}

export async function startSite(engine: Engine): Promise<Site> {
  const { dataDir, remove } = createFolder();
  // Without a cache, so that every call queries the database. Filled through another connection, so that the search reads
  // all schools when it is asked, and not those that changed.
  const target = await createTarget(engine, dataDir);
  const product = await startProduct(engine, { ...target, CACHE_MB: '0', RATE_LIMIT: 'on' });
  const { database } = product.app;
  const { database: address } = readSettings(target);
  await withDatabase(address, (other) => generateData(other, AMOUNTS, () => {}));
  // Many rows, because a table of one row is always read whole.
  const days = Array.from({ length: 60 }, (_, day) => ({ day, act: 'signups', amount: 1 }));
  await database.write((db) => db.insertInto('site_days').values(days).execute());
  const [entry] = await database.read
    .selectFrom('review_counts')
    .select(['entry_id as id', 'kind', 'school_id'])
    .orderBy('review_count', 'desc')
    .execute();
  const category = CATEGORIES.find(({ kind }) => kind === entry?.kind);
  if (!entry || !category) throw new Error('there is no entry');
  const planners = await openPlanners(product);
  return {
    product,
    user: await createUser(product),
    admin: await createUser(product, { isAdmin: true }),
    entry: { id: entry.id, schoolId: entry.school_id },
    category,
    planners,
    async stop() {
      for (const planner of planners) await planner.close();
      await product.stop();
      remove();
    },
  };
}

export const get = ({ product }: Site, path: string, token?: string) => call(product, `GET ${path}`, { token });
export const post = ({ product }: Site, path: string, body: unknown, token?: string) =>
  call(product, `POST ${path}`, { body, token });

/** The address of the page that follows in a list. */
export const nextPageOf = ({ headers }: Answer) => /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? '';

/** A use of the product. */
export interface Case {
  title: string;
  /** The tables that it has to read. */
  tables: string[];
  isLarge?: true;
  act(site: Site): Promise<unknown>;
}

export const caseOf = (title: string, tables: string[], act: Case['act']): Case => ({ title, tables, act });

/** A case whose tables are so large that PostgreSQL chooses the index by itself. */
export const largeCase = (...given: Parameters<typeof caseOf>): Case => ({ ...caseOf(...given), isLarge: true });
