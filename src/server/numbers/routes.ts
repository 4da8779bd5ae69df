import { getSiteNumbers, NUMBERS_DAYS } from '../../contract/site-numbers.ts';
import type { Database } from '../database/database.ts';
import type { Milliseconds } from '../database/tables.ts';
import type { Serve } from '../http/serve/serve.ts';
import { foldActs, listNumbers, noteSchools } from './queries.ts';

/** Answers a row for each school that has reviews, so the number of rows is the number of such schools. */
interface Figures {
  readFigures(): Promise<{ figures: readonly unknown[] }>;
}

interface NumberTools {
  readonly search: Figures;
  readonly now: () => Milliseconds;
}

const countSchools = async ({ search }: NumberTools) => (await search.readFigures()).figures.length;

/** Serves the numbers of the site. */
export function serveNumbers(serve: Serve, tools: NumberTools): void {
  serve.read(getSiteNumbers, async ({ db, query: { days = NUMBERS_DAYS.usual } }) =>
    listNumbers(db, { days, schools: await countSchools(tools) }, tools.now()),
  );
}

/** Keeps the numbers of the days that are over. */
export async function keepNumbers(database: Database, tools: NumberTools): Promise<void> {
  const now = tools.now();
  while (await database.write((db) => foldActs(db, now)));
  const schools = await countSchools(tools);
  await database.write((db) => noteSchools(db, schools, now));
}
