import { getSiteNumbers, NUMBERS_DAYS } from '../../contract/site-numbers.ts';
import type { Database } from '../database/database.ts';
import type { Milliseconds } from '../database/tables.ts';
import type { Serve } from '../http/serve/serve.ts';
import { addUpPastActs, listNumbers, storeSchoolCount } from './queries.ts';

interface NumberTools {
  /** There is a row for each school that has reviews. */
  readonly search: { readFigures(): Promise<{ figures: readonly unknown[] }> };
  readonly now: () => Milliseconds;
}

const countSchoolsInFigures = async ({ search }: NumberTools) => (await search.readFigures()).figures.length;

/** Serves the numbers of the site. */
export function serveNumbers(serve: Serve, tools: NumberTools): void {
  serve.read(getSiteNumbers, async ({ db, query: { days = NUMBERS_DAYS.usual } }) =>
    listNumbers(db, { days, schools: await countSchoolsInFigures(tools) }, tools.now()),
  );
}

/** Adds the acts of past days to the numbers of those days, and stores today's number of schools with reviews. */
export async function updateNumbers(database: Database, tools: NumberTools): Promise<void> {
  const now = tools.now();
  while (await database.write((db) => addUpPastActs(db, now)));
  const schools = await countSchoolsInFigures(tools);
  await database.write((db) => storeSchoolCount(db, schools, now));
}
