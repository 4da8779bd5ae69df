import { describe, expect, test } from 'vitest';
import { storeAliases } from '../../src/server/schools/queries.ts';
import { amounts, createTarget, createWorkplace, expectRefusal, inDatabase, runCommand } from '../support/command.ts';
import { migrationsBefore, openOld } from '../support/migrations.ts';
import { createReviewOf, hide } from '../support/moderation.ts';
import { ENGINES, startProduct } from '../support/product.ts';
import { createUser } from '../support/rows.ts';

const { newDataDir } = createWorkplace();

describe.each(ENGINES)('the check command on %s', (engine) => {
  test('names the entry whose counters differ from its reviews', async () => {
    const env = await createTarget(engine, newDataDir());
    await runCommand('generate', amounts(2, 1, 100), env);
    await inDatabase(env, ({ write }) =>
      write(async (db) => {
        await db.updateTable('review_counts').set({ half_stars_3: 77 }).where('entry_id', '=', 3).execute();
        await db.updateTable('review_counts').set({ kind: 'clubs', school_id: 99 }).where('entry_id', '=', 4).execute();
        await db.updateTable('reviews').set({ school_id: 99 }).where('entry_id', '=', 5).execute();
      }),
    );
    const { code, stdout, stderr } = await runCommand('check', [], env);
    expect(stdout).toMatch(/^- entry 3 counts 77 reviews of 1.5 stars and has \d+$/m);
    expect(stdout).toMatch(/^- entry 4 has no counts of its own school and category$/m);
    expect(stdout).toMatch(/^- entry 5 has \d+ reviews that name another school/m);
    expect(stderr).toMatch(/^The data is not consistent.*\n$/);
    expect(code).toBe(1);
  });

  test('counts reviews as a backup does, and says how many of them are not visible', async () => {
    const env = await createTarget(engine, newDataDir());
    const product = await startProduct(engine, env);
    const author = await createUser(product);
    const [{ reviewId }] = [await createReviewOf(product, author), await createReviewOf(product, author)];
    expect((await hide(product, await createUser(product, { isAdmin: true }), reviewId)).status).toBe(200);
    await product.stop();
    const of = '2 entries with 2 reviews, of which 1 is hidden, withdrawn or deleted,';
    expect((await runCommand('check', [], env)).stdout).toContain(of);
    if (engine !== 'sqlite') return;
    const { stdout } = await runCommand('backup', [`${env.DATA_DIR}/copy.sqlite`], env);
    expect(stdout).toMatch('2 entries, 2 reviews');
  });

  test('takes one file and nothing else', async () => {
    const env = await createTarget(engine, newDataDir());
    await expectRefusal(runCommand('check', ['x'], env), /^There is no file .*x\.$/m);
    // As from a variable of a script that is not set: the database that is served is no answer.
    await expectRefusal(runCommand('check', [''], env), /is not a file\.$/m);
    await expectRefusal(runCommand('check', ['x', 'y'], env), 'Usage: npm run check-data');
    await expectRefusal(runCommand('check', ['--x'], env), /^Unknown option '--x'/);
  });

  test('only reads: tables of an older version stay what they are', async () => {
    const env = await createTarget(engine, newDataDir());
    const old = await openOld(env, migrationsBefore('served-versions'));
    const tables = () => old.read.introspection.getTables();
    const before = await tables();
    await expectRefusal(runCommand('check', [], env), 'an older version: start the product first');
    expect(await tables()).toEqual(before);
    await old.close();
  });

  test('names the schools whose alias keys differ from their aliases, and no other', async () => {
    const env = await createTarget(engine, newDataDir());
    await runCommand('generate', amounts(4, 1, 0), env);
    const aliases = ['É.T.S.', 'ets', 'Montréal Tech'];
    await inDatabase(env, ({ write }) =>
      write(async (db) => {
        for (const id of [1, 2, 3]) await storeAliases(db, id, aliases);
      }),
    );
    expect((await runCommand('check', [], env)).code).toBe(0);
    await inDatabase(env, ({ write }) =>
      write(async (db) => {
        await db.deleteFrom('alias_keys').where('school_id', '=', 1).where('match_key', '=', 'ets').execute();
        await db.updateTable('schools').set({ aliases: '[]' }).where('id', '=', 2).execute();
        await db.insertInto('alias_keys').values({ school_id: 4, match_key: 'mit' }).execute();
      }),
    );
    const { code, stdout } = await runCommand('check', [], env);
    expect(stdout.split('\n').filter((line) => line.startsWith('- '))).toEqual([
      '- school 1 has the alias keys (montreal tech) instead of (ets, montreal tech)',
      '- school 2 has the alias keys (ets, montreal tech) instead of ()',
      '- school 4 has the alias keys (mit) instead of ()',
    ]);
    expect(stdout).toContain(': 3 wrong.');
    expect(code).toBe(1);
  });
});
