import { existsSync, readFileSync } from 'node:fs';

/**
 * How many tests of a Vitest run passed and failed. A file that could not be loaded, and a run that ended badly with
 * every test well or without a report, count as one failure.
 */
export function vitestCount(/** @type {string} */ report, /** @type {number} */ code) {
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = read(report);
  const unloaded = testResults.filter(
    (/** @type {{ status: string, assertionResults: { status: string }[] }} */ file) =>
      file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  return counted(numPassedTests, numFailedTests + unloaded, code);
}

/**
 * The same of a Playwright run, whose errors outside of any test count one each. A skipped test is neither passed nor
 * failed: notRun holds the reason that it gives.
 */
export function playwrightCount(/** @type {string} */ report, /** @type {number} */ code) {
  const { stats = { expected: 0, unexpected: 0, flaky: 0 }, errors = [], suites = [] } = read(report);
  const notRun = suites.flatMap(skipReasons);
  return { ...counted(stats.expected, stats.unexpected + stats.flaky + errors.length, code), notRun };
}

/**
 * @typedef {{ type: string, description?: string }} Annotation
 * @typedef {{ title: string, tests: { status: string, annotations: Annotation[] }[] }} Spec
 * @typedef {{ specs: Spec[], suites?: Suite[] }} Suite
 */

/** @returns {string[]} */
function skipReasons(/** @type {Suite} */ { specs, suites = [] }) {
  const own = specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status === 'skipped')
      .map(({ annotations }) => annotations.find(({ type }) => type === 'skip')?.description ?? `not run: ${title}`),
  );
  return [...own, ...suites.flatMap(skipReasons)];
}

function counted(/** @type {number} */ passed, /** @type {number} */ failed, /** @type {number} */ code) {
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
}

function read(/** @type {string} */ report) {
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
}
