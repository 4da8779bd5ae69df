// npm run fuzz [-- --runs N --seed N --minutes N]: the properties of every call on made-up input, on both engines.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = path.dirname(import.meta.dirname);
const MINUTE = 60_000;
const SEED_END = 2 ** 31;

const { values: options } = parseArgs({
  options: {
    /** Of each property of each call, in one round. */
    runs: { type: 'string', default: '200' },
    /** Of the first round; each further one has the next. */
    seed: { type: 'string', default: String(Date.now() % SEED_END) },
    /** Rounds are begun until so many have passed; none: one round. */
    minutes: { type: 'string', default: '0' },
  },
});

function readNumber(name: keyof typeof options, least: number): number {
  const value = Number(options[name]);
  if (Number.isFinite(value) && value >= least) return value;
  console.error(`--${name} is ${options[name]}. Allowed: a number from ${least} on.`);
  process.exit(1);
}

const runs = readNumber('runs', 1);
const firstSeed = readNumber('seed', 0);
const end = Date.now() + readNumber('minutes', 0) * MINUTE;

let round = 0;
do {
  const seed = (firstSeed + round) % SEED_END;
  round += 1;
  console.log(`Round ${round}: --runs ${runs} --seed ${seed}`);
  const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'api', 'tests/api/properties.test.ts'], {
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
