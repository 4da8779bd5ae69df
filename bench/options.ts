import { parseArgs } from 'node:util';
import { parseOnly } from '../bin/command-line.ts';

export interface Options {
  readonly schools: number;
  /** How many entries each school has in each category. */
  readonly entries: number;
  readonly reviews: number;
  /** Seconds of one burst. */
  readonly seconds: number;
  /** Names of the workloads to run, or addresses of the pages to visit; empty: all. */
  readonly only: readonly string[];
  readonly engine: 'sqlite' | 'postgres';
  readonly isCacheOff: boolean;
  /** Limits by address are on, and the requests come from many addresses. */
  readonly isLimited: boolean;
  /** If not 0: only compares reads with those of a product that has this number of reviews. */
  readonly grown: number;
  /** If not 0: only compares reads through this number of processes with those through one. */
  readonly scaled: number;
  /** Writes a CPU profile of each product that ran. */
  readonly profile: boolean;
  /** Measures what a visitor's browser loads, instead of requests a second. */
  readonly browser: boolean;
  /** Measures Lighthouse's scores, instead of requests a second. */
  readonly lighthouse: boolean;
  /** Measures the search of schools in the catalogue, instead of requests a second. */
  readonly search: boolean;
  /** Measures what admins and authors read and decide among many reports, instead of requests a second. */
  readonly moderation: boolean;
}

const DEFAULTS = {
  schools: '2000',
  entries: '3',
  reviews: '400000',
  seconds: '3',
  grown: '0',
  scaled: '0',
};

/** The options as `--help` lists them. */
export const OPTION_TEXTS = [
  ['--schools N', `schools of the data (${DEFAULTS.schools})`],
  ['--entries N', `entries of each school and category (${DEFAULTS.entries})`],
  ['--reviews N', `reviews in all (${DEFAULTS.reviews})`],
  ['--seconds N', `how long one burst lasts (${DEFAULTS.seconds})`],
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
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      schools: text(DEFAULTS.schools),
      entries: text(DEFAULTS.entries),
      reviews: text(DEFAULTS.reviews),
      seconds: text(DEFAULTS.seconds),
      grown: text(DEFAULTS.grown),
      scaled: text(DEFAULTS.scaled),
      only: text(''),
      engine: text('sqlite'),
      cache: text('on'),
      limits: text('off'),
      profile: { type: 'boolean', default: false },
      browser: { type: 'boolean', default: false },
      lighthouse: { type: 'boolean', default: false },
      search: { type: 'boolean', default: false },
      moderation: { type: 'boolean', default: false },
    },
  });
  const whole = (name: keyof typeof DEFAULTS) => {
    const number = Number(values[name]);
    const min = name === 'grown' || name === 'scaled' ? 0 : 1;
    if (Number.isInteger(number) && number >= min) return number;
    throw new Error(`--${name} is "${values[name]}". Allowed: a whole number from ${min}.`);
  };
  return {
    schools: whole('schools'),
    entries: whole('entries'),
    reviews: whole('reviews'),
    seconds: whole('seconds'),
    grown: whole('grown'),
    scaled: whole('scaled'),
    only: parseOnly(values.only, values.browser || values.lighthouse ? pages : workloads),
    engine: readChoice('engine', values.engine, ['sqlite', 'postgres']),
    isCacheOff: readChoice('cache', values.cache, ['on', 'off']) === 'off',
    isLimited: readChoice('limits', values.limits, ['on', 'off']) === 'on',
    profile: values.profile,
    browser: values.browser,
    lighthouse: values.lighthouse,
    search: values.search,
    moderation: values.moderation,
  };
}

/** Whether `results.md` keeps the figures: it does of a whole run on the default data. */
export function isKeptRun({ schools, entries, reviews, isCacheOff, isLimited, only, profile }: Options): boolean {
  const isDefaultData =
    [schools, entries, reviews].join() === [DEFAULTS.schools, DEFAULTS.entries, DEFAULTS.reviews].join();
  return isDefaultData && !isCacheOff && !isLimited && only.length === 0 && !profile;
}
