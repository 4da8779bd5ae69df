import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { playwrightCount } from '../../bin/test-reports.mjs';

function reportOf(content: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'school-reviews-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const skipped = (title: string, annotations: object[]) => ({ title, tests: [{ status: 'skipped', annotations }] });

test('a skipped browser test counts neither as passed nor as failed, and its reason is handed on', () => {
  const report = reportOf({
    stats: { expected: 1, unexpected: 0, flaky: 0, skipped: 2 },
    errors: [],
    suites: [
      {
        specs: [{ title: 'ran', tests: [{ status: 'expected', annotations: [] }] }, skipped('without a reason', [])],
        suites: [{ specs: [skipped('deep', [{ type: 'skip', description: 'firefox: not installed' }])] }],
      },
    ],
  });
  const notRun = ['not run: without a reason', 'firefox: not installed'];
  expect(playwrightCount(report, 0)).toEqual({ passed: 1, failed: 0, notRun });
});

test('a browser run that ends badly without a failed test is one failure', () => {
  expect(playwrightCount(reportOf({}), 1)).toEqual({ passed: 0, failed: 1, notRun: [] });
  expect(playwrightCount('/no/report', 1)).toEqual({ passed: 0, failed: 1, notRun: [] });
});
