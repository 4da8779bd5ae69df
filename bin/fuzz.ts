// npm run fuzz [-- --runs N --seed N --minutes N]: checks the properties of every call on generated input, chains of
// changes, and cached responses after random writes, on both engines.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readCommandLine } from './command-line.ts';

const ROOT = path.dirname(import.meta.dirname);
const MINUTE = 60_000;
const SEED_END = 2 ** 31;
const FILES = ['properties', 'chains', 'review-oracle'].map((name) => `tests/api/${name}.test.ts`);

const OPTION_TEXTS = [
  ['--runs N', 'of each property of each call, in one round (200)'],
  ['--seed N', 'of the first round; each further one has the next (by the clock)'],
  ['--minutes N', 'rounds are begun until so many have passed (0: one round)'],
] as const;

function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: 'string', default: '200' },
      seed: { type: 'string', default: String(Date.now() % SEED_END) },
      minutes: { type: 'string', default: '0' },
    },
  });
  const readNumber = (name: keyof typeof values, least: number) => {
    const value = Number(values[name]);
    if (Number.isFinite(value) && value >= least) return value;
    throw new Error(`--${name} is ${values[name]}. Allowed: a number from ${least} on.`);
  };
  return { runs: readNumber('runs', 1), firstSeed: readNumber('seed', 0), minutes: readNumber('minutes', 0) };
}

const { runs, firstSeed, minutes } = readCommandLine('npm run fuzz', OPTION_TEXTS, readOptions);
const end = Date.now() + minutes * MINUTE;

let round = 0;
do {
  const seed = (firstSeed + round) % SEED_END;
  round += 1;
  console.log(`Round ${round}: --runs ${runs} --seed ${seed}`);
  const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'api', ...FILES], {
    cwd: ROOT,
    env: { ...process.env, FUZZ_RUNS: String(runs), FUZZ_SEED: String(seed) },
    stdio: 'inherit',
  });
  if (status !== 0) {
    console.error(`Found something. Again: npm run fuzz -- --runs ${runs} --seed ${seed}`);
    process.exit(1);
  }
} while (Date.now() < end);
console.log(`${round} round${round === 1 ? '' : 's'} found nothing.`);
