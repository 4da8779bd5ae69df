import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** One thing that a test has asked for: `GET /auth/schools`, or the address of a page. */
export interface Covered {
  what: string;
  file: string;
  title: string;
}

type TestFinder = () => { file: string; title: string };

let findTest: TestFinder = () => ({ file: '', title: '' });

/** Sets how to find out which test is running, which differs between the runners. */
export function setTestFinder(finder: TestFinder): void {
  findTest = finder;
}

/** Records what the running test asked for, under `npm run coverage` alone. */
export function recordCoverage(what: string): void {
  const folder = process.env.COVERAGE_DIR;
  if (folder) appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify({ what, ...findTest() })}\n`);
}
