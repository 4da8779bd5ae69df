// npm test [-- FILTER]: every check there is, on a fresh clone too. FILTER picks test files.
// npm test -- --quick: types, lint, unit tests, API tests on SQLite in one process, the main journey in Chromium.
// npm run coverage: every check. If all pass, it writes test-results/coverage.md from what the tests asked for.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { findOrInstallBrowser } from './browser.mjs';
import { buildClient, buildClientIfStale } from './client.mjs';
import { installIfMissing, pinnedNode } from './install.mjs';
import { ROOT, run } from './process.mjs';
import { playwrightCount, vitestCount } from './test-reports.mjs';

const [option] = process.argv.slice(2);
const isCovering = option === '--coverage';
const isQuick = option === '--quick';
const USAGE =
  'Usage: npm test [-- FILTER …], npm test -- --quick or npm run coverage. FILTER: part of the path of a test file.';
if (process.argv.includes('--help')) {
  console.log(USAGE);
  process.exit();
}
if (option?.startsWith('-') && !isCovering && !isQuick) {
  console.error(USAGE);
  process.exit(1);
}
const filter = process.argv.slice(isCovering || isQuick ? 3 : 2);
if ((isCovering || isQuick) && filter.length > 0) {
  console.error(`${option} takes no filter: what some of the tests say would not be the whole truth.`);
  process.exit(1);
}
const testFiles = readdirSync(path.join(ROOT, 'tests'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !file.startsWith('trials'))
  .map((file) => path.join(ROOT, 'tests', file));
const unmatched = filter.find((text) => testFiles.every((file) => !file.includes(path.normalize(text))));
if (unmatched) {
  console.error(`No test file of the API, units or browser has "${unmatched}" in its path.`);
  process.exit(1);
}
// A filter may match no test of a runner; without a filter that is a failure.
const chosen = filter.length > 0 ? [...filter, '--pass-with-no-tests'] : [];

const MEMORY = '/dev/shm';
const GIGABYTE = 2 ** 30;
/** Up to this many failed files run again. If more fail, the cause is not a busy machine. */
const RUN_AGAIN_MAX = 3;

await installIfMissing();
const browser = await findOrInstallBrowser();
const reports = mkdtempSync(path.join(os.tmpdir(), 'school-reviews-test-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));
const covered = path.join(reports, 'covered');
if (isCovering) mkdirSync(covered);

const total = { passed: 0, failed: 0, tests: 0, notRun: /** @type {string[]} */ ([]) };
// Types take one core for longer than the build takes the other: the tests begin meanwhile. On several threads the
// compiler would check common types once in each: 25 s of processor time instead of 12.
const sourceChecks = [
  step('types', (output) => tool('typescript/bin/tsc', ['-p', '.', '--singleThreaded'], output)),
  step('lint', (output) =>
    tool('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '--diagnostic-level=warn', '.'], output),
  ),
];
await step('build', (output) => (isQuick ? buildClientIfStale() : buildClient(output)));
await suite('unit, api', vitestCount, 'vitest/vitest.mjs', (report) => [
  'run',
  ...['--project', 'unit', '--project', 'api'],
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
]);
await suite('browser', playwrightCount, 'playwright/cli.js', () => [
  ...['test', '--reporter=dot,json'],
  ...(isQuick ? ['journey'] : []),
]);
await Promise.all(sourceChecks);
console.log(`${total.passed} passed, ${total.failed} failed`);
const hasPassed = total.failed === 0 && total.tests > 0;
process.exitCode = hasPassed ? 0 : 1;
if (isCovering && hasPassed) {
  const written = [path.join(ROOT, 'bin/coverage.ts'), covered, String(total.tests), ...total.notRun];
  process.exitCode = await run(pinnedNode(), written);
}

/** Whether the databases of the tests can be in memory: there are thousands, which a disk would have to sync. */
function hasRoomInMemory() {
  if (!existsSync(MEMORY) || os.freemem() < 8 * GIGABYTE) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > 4 * GIGABYTE;
}

/** @typedef {(chunk: Buffer) => void} Output */
/** @typedef {{ passed: number, failed: number, notRun?: string[], failedFiles?: string[], ranAgain?: string[] }} Result */

/** A check that passes or fails as a whole. */
async function step(/** @type {string} */ name, /** @type {(output: Output) => Promise<number>} */ check) {
  await timed(name, async (output) =>
    (await check(output)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 },
  );
}

/**
 * Runs tests and counts them from the report of their runner. If only few files fail, these run again, alone, in case
 * the machine was busy. They are then named, and the output of the tests is printed.
 * @param {string} name @param {(report: string, code: number) => Result} count
 * @param {string} runner @param {(report: string) => string[]} args
 */
async function suite(name, count, runner, args) {
  const report = path.join(reports, `${path.dirname(runner)}.json`);
  const env = {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    // Node strips the types: in a fresh clone Babel would first transform some hundreds of files.
    PW_DISABLE_TS_ESM: '1',
    ...(browser && { CHROMIUM_PATH: browser }),
    ...(isCovering && { COVERAGE_DIR: covered }),
    ...(isQuick && { QUICK: 'yes', FUZZ_RUNS: '5' }),
    ...(hasRoomInMemory() && { TMPDIR: MEMORY }),
  };
  const runTests = async (/** @type {Output} */ output, /** @type {string[]} */ files) => {
    rmSync(report, { force: true });
    return count(report, await tool(runner, [...args(report), ...files], output, env));
  };
  const {
    passed,
    failed,
    notRun = [],
  } = await timed(name, async (output) => {
    const first = await runTests(output, chosen);
    const { failedFiles: files = [] } = first;
    if (files.length === 0 || files.length > RUN_AGAIN_MAX) return first;
    const again = await runTests(output, files);
    const mended = Math.max(0, first.failed - again.failed);
    return { ...first, passed: first.passed + mended, failed: again.failed, ranAgain: files };
  });
  total.tests += passed + failed;
  total.notRun.push(...notRun);
}

/**
 * Runs a check and prints its one line, and what it had to say when it failed.
 * @param {string} name @param {(output: Output) => Promise<Result>} check
 */
async function timed(name, check) {
  /** @type {Buffer[]} */
  const chunks = [];
  const start = performance.now();
  const result = await check((chunk) => chunks.push(chunk));
  total.passed += result.passed;
  total.failed += result.failed;
  const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(6);
  const outcome = result.failed > 0 ? `FAILED (${result.failed})` : `${result.passed} passed`;
  console.log(`${name.padEnd(10)}${seconds} s  ${outcome}`);
  for (const reason of result.notRun ?? []) console.log(`${''.padEnd(20)}${reason}`);
  for (const file of result.ranAgain ?? [])
    console.log(`${''.padEnd(20)}failed at first: ${path.relative(ROOT, file)}`);
  if (result.failed > 0 || result.ranAgain) console.log(Buffer.concat(chunks).toString());
  return result;
}

/**
 * Runs a tool of node_modules on the pinned Node.
 * @param {string} file @param {string[]} args @param {Output} output
 */
function tool(file, args, output, env = {}) {
  const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' };
  return run(pinnedNode(), [path.join(ROOT, 'node_modules', file), ...args], {
    env: { ...process.env, ...colours, ...env },
    output,
  });
}
