import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../places.ts';
import { count, type Finding, type Promised } from '../promise.ts';
import { SEEDED_FAULTS, type SeededFault } from '../seeded-faults.ts';
import { ROOT } from '../server.ts';

/** The folders that a copy of the project does not need. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'test-results']);

interface Counted {
  readonly passed: number;
  readonly failed: number;
}

/** A copy of the project to put faults into, with this one's packages. */
function copyProject(): string {
  const copy = makeFolder();
  cpSync(ROOT, copy, { recursive: true, filter: (source) => !LEFT_OUT.has(path.relative(ROOT, source)) });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

/** @throws when they do not run at all: that would be red for another reason */
async function runTests(copy: string, tests: readonly string[]): Promise<Counted> {
  const report = path.join(copy, 'report.json');
  const runner = path.join(copy, 'node_modules/vitest/vitest.mjs');
  const args = [runner, 'run', '--reporter=json', `--outputFile.json=${report}`, ...tests];
  const child = spawn(process.execPath, args, { cwd: copy, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  await once(child, 'close');
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
    if (numPassedTests + numFailedTests === 0) throw new Error(`None of ${tests} ran: ${stderr}`);
    return { passed: numPassedTests, failed: numFailedTests };
  } finally {
    rmSync(report, { force: true });
  }
}

async function runWith(copy: string, { name, edits, tests }: SeededFault): Promise<Counted> {
  const files = [...new Set(edits.map(({ file }) => path.join(copy, file)))];
  const before = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  try {
    for (const { file, text, replacement } of edits) {
      const whole = readFileSync(path.join(copy, file), 'utf8');
      if (!whole.includes(text)) throw new Error(`For "${name}" ${file} does not hold "${text}".`);
      writeFileSync(
        path.join(copy, file),
        whole.replace(text, () => replacement),
      );
    }
    return await runTests(copy, tests);
  } finally {
    for (const [file, whole] of before) writeFileSync(file, whole);
  }
}

export const redTests: Promised = {
  id: 'S1',
  promise: 'the tests notice what they are there for',
  async attempt({ say }): Promise<Finding[]> {
    const copy = copyProject();
    try {
      const unseen: string[] = [];
      let failed = 0;
      for (const fault of SEEDED_FAULTS) {
        const result = await runWith(copy, fault);
        say(`${fault.name}: ${count(result.failed, 'tests')} of ${result.passed + result.failed} red`);
        if (result.failed === 0) unseen.push(fault.name);
        failed += result.failed;
      }
      const healthy = await runTests(copy, [...new Set(SEEDED_FAULTS.flatMap(({ tests }) => tests))]);
      const seen = SEEDED_FAULTS.length - unseen.length;
      return [
        {
          promised: `each of ${SEEDED_FAULTS.length} faults, put in by itself, turns tests red`,
          measured: `${seen} of ${SEEDED_FAULTS.length} seen, ${count(failed, 'tests')} red in all${unseen.map((name) => `; unseen: ${name}`).join('')}`,
          isKept: unseen.length === 0,
          control: `without a fault: ${count(healthy.passed, 'tests')} green, ${healthy.failed} red`,
          isControlSeen: healthy.failed === 0,
        },
      ];
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  },
};
