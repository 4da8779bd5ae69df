import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { insertSchool } from '../../src/server/schools/queries.ts';
import { call } from '../support/call.ts';
import { eventually, runSql } from '../support/postgres-faults.ts';
import { ENGINES } from '../support/product.ts';
import { createUser } from '../support/rows.ts';
import { startForTest } from '../support/site.ts';

const BY_THE_SEA = 'Known for marine biology and its research ships.';
const PREFERENCES = { location: '', major: 'Marine biology', academicLevel: '', campusSetting: '', finance: '' };
const NO_MORE = { goals: '', living: '', personal: '' };

test.each(ENGINES)('a change that nobody names, on %s, changes what is recommended', async (engine) => {
  const product = await startForTest(engine);
  await product.app.database.write(async (db) => {
    await insertSchool(db, { schoolName: 'Harbour College', location: 'Here', description: BY_THE_SEA });
    await insertSchool(db, { schoolName: 'Prairie College', location: 'There', description: 'Agriculture.' });
  });
  const { id: userId, token } = await createUser(product);
  await call(product, 'POST /auth/postProfile', { token, body: { userId, ...PREFERENCES, ...NO_MORE } });
  const recommend = async () => (await call(product, 'POST /auth/recommendSchool', { token, body: {} })).text;
  expect(await recommend()).toMatch('Harbour College');

  const swap = `update schools set description =
    case school_name when 'Prairie College' then '${BY_THE_SEA}' else 'Accounting.' end`;
  if (product.databaseUrl) {
    await runSql(product.databaseUrl, swap, "notify school_reviews_changes, '*'");
  } else {
    const beside = new DatabaseSync(join(product.dataDir, 'school-reviews.sqlite'));
    beside.exec(swap);
    beside.close();
  }
  await eventually(recommend).toMatch('Prairie College');
});
