import { parseArgs } from 'node:util';
import { generateData } from '../data/generated/generate.ts';
import { countRows } from '../database/integrity.ts';
import {
  CommandError,
  type CommandHelp,
  count,
  createCommand,
  openForCommand,
  print,
  runAsProcess,
  secondsSince,
  wrongUsage,
} from './command.ts';
import { createProgress } from './progress.ts';

const HELP: CommandHelp = {
  usage: 'npm run generate -- --schools N --entries N --reviews N [--seed N]',
  about: 'Fills an empty database with invented data, the same each time.',
  parts: {
    '--schools N': 'how many schools',
    '--entries N': 'how many entries each school has in each category',
    '--reviews N': 'how many reviews in all',
    '--seed N': 'another number gives other data; default: 1',
  },
};

const SCHOOLS_MAX = 1_000_000;
/** For one category of all schools: more entries would not fit into memory. */
const ENTRIES_MAX = 10_000_000;
const REVIEWS_MAX = 1_000_000_000;

function readNumber(name: string, value: string | undefined, max: number): number {
  if (value === undefined) throw wrongUsage(HELP);
  const number = Number(value);
  if (/^\d{1,15}$/.test(value) && number <= max) return number;
  throw new CommandError(`--${name} is "${value}". Allowed: a whole number from 0 to ${max.toLocaleString('en')}.`);
}

export const run = createCommand(HELP, async (settings, args) => {
  const option = { type: 'string' } as const;
  const { values } = parseArgs({ args, options: { schools: option, entries: option, reviews: option, seed: option } });
  const schools = readNumber('schools', values.schools, SCHOOLS_MAX);
  const entries = readNumber('entries', values.entries, Math.floor(ENTRIES_MAX / Math.max(1, schools)));
  const reviews = readNumber('reviews', values.reviews, REVIEWS_MAX);
  const seed = readNumber('seed', values.seed ?? '1', 2 ** 32 - 1);

  const start = performance.now();
  const progress = createProgress();
  await using database = await openForCommand(settings);
  await generateData(database, { schools, entries, reviews, seed }, (what, done, total) =>
    progress.show(`Generating ${what}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`),
  );
  progress.clear();
  const rows = await countRows(database.read);
  print(
    `Generated in ${secondsSince(start)}: ${count(rows.schools, 'school')}, ${count(rows.entries, 'entry', 'entries')}, ` +
      `${count(rows.reviews, 'review')}, ${count(rows.users, 'user')}.`,
  );
});

if (import.meta.main) await runAsProcess(run);
