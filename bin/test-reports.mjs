import { existsSync, readFileSync } from 'node:fs';

/**
 * How many tests of a Vitest run passed and failed, and in which files some failed. One more failure is counted for a
 * file that could not be loaded, and for a run that ended badly although no test failed or there is no report.
 */
export function vitestCount(/** @type {string} */ report, /** @type {number} */ code) {
  /** @type {{ numPassedTests?: number, numFailedTests?: number, testResults?: VitestFile[] }} */
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = read(report);
  const failing = testResults.filter(({ status }) => status === 'failed');
  const unloaded = failing.filter(
    ({ assertionResults }) => !assertionResults.some(({ status }) => status === 'failed'),
  );
  const failedFiles = failing.map(({ name }) => name);
  return { ...counted(numPassedTests, numFailedTests + unloaded.length, code), failedFiles };
}

/**
 * The same for a Playwright run. Each error outside of the tests is one failure. A skipped test is neither passed nor
 * failed: notRun holds the reason that it gives.
 */
export function playwrightCount(/** @type {string} */ report, /** @type {number} */ code) {
  const { stats = { expected: 0, unexpected: 0, flaky: 0 }, errors = [], suites = [] } = read(report);
  const notRun = suites.flatMap(skipReasons);
  // An error outside of the tests would not occur again when only these files run.
  const failing = errors.length > 0 ? [] : suites.filter(hasFailed);
  const failedFiles = failing.map((/** @type {Suite} */ { file }) => `tests/browser/${file}`);
  return { ...counted(stats.expected, stats.unexpected + stats.flaky + errors.length, code), notRun, failedFiles };
}

/**
 * @typedef {{ name: string, status: string, assertionResults: { status: string }[] }} VitestFile
 * @typedef {{ type: string, description?: string }} Annotation
 * @typedef {{ title: string, ok: boolean, tests: { status: string, annotations: Annotation[] }[] }} Spec
 * @typedef {{ file: string, specs: Spec[], suites?: Suite[] }} Suite
 */

/** @returns {boolean} */
function hasFailed(/** @type {Suite} */ { specs, suites = [] }) {
  return specs.some(({ ok }) => !ok) || suites.some(hasFailed);
}

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
