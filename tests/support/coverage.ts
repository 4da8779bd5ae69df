import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** One thing that a test has asked for: `GET /auth/schools`, or the address of a page. */
export interface Covered {
  what: string;
  file: string;
  title: string;
}

type Source = () => { file: string; title: string };

let source: Source = () => ({ file: '', title: '' });

/** Sets how to find out which test is running, which differs between the runners. */
export function nameTestsBy(given: Source): void {
  source = given;
}

/** Notes what the running test asked for, when `npm run coverage` wants to know; else does nothing. */
export function noteCovered(what: string): void {
  const folder = process.env.COVERAGE_DIR;
  if (folder) appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify({ what, ...source() })}\n`);
}
