import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { playwrightCount, vitestCount } from '../../bin/test-reports.mjs';

function reportOf(content: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'school-reviews-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const skipped = (title: string, annotations: object[]) => ({
  title,
  ok: true,
  tests: [{ status: 'skipped', annotations }],
});

test('a skipped browser test counts neither as passed nor as failed, and its reason is handed on', () => {
  const report = reportOf({
    stats: { expected: 1, unexpected: 0, flaky: 0, skipped: 2 },
    errors: [],
    suites: [
      {
        specs: [
          { title: 'ran', ok: true, tests: [{ status: 'expected', annotations: [] }] },
          skipped('without a reason', []),
        ],
        suites: [{ specs: [skipped('deep', [{ type: 'skip', description: 'firefox: not installed' }])] }],
      },
    ],
  });
  const notRun = ['not run: without a reason', 'firefox: not installed'];
  expect(playwrightCount(report, 0)).toEqual({ passed: 1, failed: 0, notRun, failedFiles: [] });
});

test('a browser run that ends badly without a failed test is one failure', () => {
  const failure = { passed: 0, failed: 1, notRun: [], failedFiles: [] };
  expect(playwrightCount(reportOf({}), 1)).toEqual(failure);
  expect(playwrightCount('/no/report', 1)).toEqual(failure);
});

test('the files of failed tests are named, however deep they stand', () => {
  const spec = (ok: boolean) => ({ title: 'one', ok, tests: [{ status: ok ? 'expected' : 'unexpected' }] });
  const browser = {
    stats: { expected: 1, unexpected: 1, flaky: 0 },
    suites: [
      { file: 'dates.test.ts', specs: [], suites: [{ specs: [spec(false)] }] },
      { file: 'fonts.test.ts', specs: [spec(true)] },
    ],
  };
  const failedFiles = ['tests/browser/dates.test.ts'];
  expect(playwrightCount(reportOf(browser), 1)).toMatchObject({ failed: 1, failedFiles });
  // No files are named: running them again would hide an error outside of them.
  const failure = playwrightCount(reportOf({ ...browser, errors: [{ message: 'no browser' }] }), 1);
  expect(failure).toMatchObject({ failed: 2, failedFiles: [] });
  const api = reportOf({
    ...{ numPassedTests: 1, numFailedTests: 1 },
    testResults: [
      { name: 'a.test.ts', status: 'failed', assertionResults: [{ status: 'failed' }] },
      { name: 'not loaded', status: 'failed', assertionResults: [] },
      { name: 'c.test.ts', status: 'passed', assertionResults: [{ status: 'passed' }] },
    ],
  });
  expect(vitestCount(api, 1)).toEqual({ passed: 1, failed: 2, failedFiles: ['a.test.ts', 'not loaded'] });
});
