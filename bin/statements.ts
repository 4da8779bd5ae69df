// npm run statements: writes what this version sends to PostgreSQL into tests/releases.sql, from a whole run of the API
// tests. The next version must leave a schema on which all of it still runs (tests/api/served-releases.test.ts).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { MIGRATIONS } from '../src/server/database/migrate.ts';
import { VERSION } from '../src/server/database/served-versions.ts';
import { writeRelease } from '../tests/support/releases.ts';
import { readCommandLine } from './command-line.ts';

const ROOT = path.dirname(import.meta.dirname);

/** Of statements that differ only in the length of a list of values, the shortest is kept. */
function shapeOf(statement: string): string {
  return statement
    .replaceAll(/\$\d+/g, '$')
    .replaceAll(/\$(?:, ?\$)+/g, '$')
    .replaceAll(/(\([^()]*\))(?:, ?\1)+/g, '$1');
}

function readNoted(folder: string): string[] {
  const lines = readdirSync(folder).flatMap((name) => readFileSync(path.join(folder, name), 'utf8').trim().split('\n'));
  const statements = lines.map((line): string => JSON.parse(line).replaceAll(/\s+/g, ' ').trim());
  const shortest = new Map<string, string>();
  for (const statement of statements) {
    const kept = shortest.get(shapeOf(statement));
    if (kept === undefined || statement.length < kept.length) shortest.set(shapeOf(statement), statement);
  }
  return [...shortest.values()].sort();
}

readCommandLine('npm run statements', [], (args) => parseArgs({ args }));
const folder = mkdtempSync(path.join(os.tmpdir(), 'school-reviews-statements-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const preload = `--import=${new URL('../tests/support/note-statements.ts', import.meta.url)}`;
// A test that fails once, because the machine is busy, must not cost the whole run.
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'api', '--retry', '2'];
const { status } = spawnSync(process.execPath, vitest, {
  cwd: ROOT,
  env: { ...process.env, NODE_OPTIONS: preload, STATEMENTS_DIR: folder },
  stdio: 'inherit',
});
if (status !== 0) {
  console.error('Some tests failed: what they would have sent is not known, and nothing was written.');
  process.exit(1);
}
const statements = readNoted(folder);
writeRelease({ version: VERSION, migrationCount: MIGRATIONS.length, statements });
console.log(`tests/releases.sql: ${statements.length} statements of ${VERSION}.`);
