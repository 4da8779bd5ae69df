import { parseArgs } from 'node:util';
import { parseOnly, readWhole } from '../bin/command-line.ts';

/** The whole numbers and their defaults, which may be 0 where the default is. */
const NUMBERS = { schools: 2_000, entries: 3, reviews: 400_000, seconds: 3, grown: 0, scaled: 0 };
const FLAGS = { profile: false, browser: false, lighthouse: false, search: false, moderation: false };

/** See `OPTION_TEXTS`. */
export interface Options extends Readonly<typeof NUMBERS>, Readonly<typeof FLAGS> {
  /** Names of the workloads to run, or addresses of the pages to visit; empty: all. */
  readonly only: readonly string[];
  readonly engine: 'sqlite' | 'postgres';
  readonly isCacheOff: boolean;
  readonly isLimited: boolean;
}

/** The options as `--help` lists them. */
export const OPTION_TEXTS = [
  ['--schools N', `schools of the data (${NUMBERS.schools})`],
  ['--entries N', `entries of each school and category (${NUMBERS.entries})`],
  ['--reviews N', `reviews in all (${NUMBERS.reviews})`],
  ['--seconds N', `how long one burst lasts (${NUMBERS.seconds})`],
  ['--only NAME,…', 'these workloads, such as W1,W7 (bench/results.md), or with --browser or --lighthouse these pages'],
  ['--engine NAME', 'sqlite (default) or postgres'],
  ['--cache off', 'without cached responses'],
  ['--limits on', 'with limits by address, for readers at 4,000 of them'],
  ['--grown N', 'compares reads with those of a product with N reviews'],
  ['--scaled N', 'compares reads through N processes with those through one, on PostgreSQL'],
  ['--profile', 'writes a CPU profile of each product into bench/.data/profiles, for DevTools of Chrome'],
  ['--browser', 'what a visitor’s browser loads'],
  ['--lighthouse', 'the scores of Lighthouse'],
  ['--search', 'the search of schools over the catalogue'],
  ['--moderation', 'what admins and authors read among many reports and removals'],
] as const;

/** A cast, because `Object.entries` forgets which keys there are. */
const mapRecord = <K extends string, V, T>(record: Record<K, V>, map: (key: K, value: V) => T) =>
  Object.fromEntries(Object.entries<V>(record).map(([key, value]) => [key, map(key as K, value)])) as Record<K, T>;

function readChoice<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const choice = allowed.find((one) => one === value);
  if (!choice) throw new Error(`--${name} is "${value}". Allowed: ${allowed.join(' or ')}.`);
  return choice;
}

/** What `--only` may name. */
interface Names {
  readonly workloads: readonly string[];
  readonly pages: readonly string[];
}

/** Reads the command line. @throws with one line that says what is wrong */
export function readOptions(args: readonly string[], { workloads, pages }: Names): Options {
  const text = (value: string | number) => ({ type: 'string', default: String(value) }) as const;
  const flag = (value: boolean) => ({ type: 'boolean', default: value }) as const;
  const { only, engine, cache, limits, ...rest } = parseArgs({
    args: [...args],
    options: {
      ...mapRecord(NUMBERS, (_, value) => text(value)),
      ...mapRecord(FLAGS, (_, value) => flag(value)),
      ...{ only: text(''), engine: text('sqlite'), cache: text('on'), limits: text('off') },
    },
  }).values;
  return {
    ...rest,
    ...mapRecord(NUMBERS, (name, value) => readWhole(name, rest[name], Math.min(value, 1))),
    only: parseOnly(only, rest.browser || rest.lighthouse ? pages : workloads),
    engine: readChoice('engine', engine, ['sqlite', 'postgres']),
    isCacheOff: readChoice('cache', cache, ['on', 'off']) === 'off',
    isLimited: readChoice('limits', limits, ['on', 'off']) === 'on',
  };
}

/** Whether `results.md` keeps the figures: it does of a whole run on the default data. */
export function isKeptRun({ isCacheOff, isLimited, only, profile, ...options }: Options): boolean {
  const isDefaultData = (['schools', 'entries', 'reviews'] as const).every((name) => options[name] === NUMBERS[name]);
  return isDefaultData && !isCacheOff && !isLimited && only.length === 0 && !profile;
}
