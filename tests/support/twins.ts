import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { generateData } from '../../src/server/data/generated/generate.ts';
import { type Engine, type Product, startProduct } from './product.ts';

const AMOUNTS = { schools: 4, entries: 2, reviews: 300, seed: 5 };
const SITE = 'https://reviews.example';

async function useBuiltPages(clientDir: string): Promise<void> {
  rmSync(clientDir, { recursive: true });
  cpSync('dist/client', clientDir, { recursive: true });
  cpSync('dist/renderer', join(clientDir, '../renderer'), { recursive: true });
}

/**
 * Two products with the built pages and the same name, data and time, at which their clocks stand still. They answer
 * byte for byte alike, so that any difference comes from what was done in one alone.
 */
export async function startTwins(engine: Engine): Promise<[Product, Product]> {
  const still = Date.now();
  const start = async () => {
    const product = await startProduct(engine, { PUBLIC_URL: SITE }, useBuiltPages);
    product.clock.still = still;
    await generateData(product.app.database, AMOUNTS, () => {});
    return product;
  };
  return [await start(), await start()];
}

/**
 * Uses up the id of a review and leaves no row. No id is given twice, so that a gap in the ids remains where a review
 * was withdrawn or is hidden.
 */
export async function skipReviewId({ app }: Product): Promise<void> {
  await app.database.write(async (db) => {
    const { entry_id, school_id } = await db
      .selectFrom('reviews')
      .select(['entry_id', 'school_id'])
      .limit(1)
      .executeTakeFirstOrThrow();
    const { id } = await db
      .insertInto('reviews')
      .values({
        entry_id,
        school_id,
        user_id: null,
        username: null,
        half_stars: 1,
        review: '',
        created_at: 0,
        edited_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.deleteFrom('reviews').where('id', '=', id).execute();
  });
}
