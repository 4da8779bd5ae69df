import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const FOLDER = 'tests/releases';

/** What an earlier version sends to PostgreSQL, as `npm run statements` has noted it. */
export interface Release {
  readonly version: string;
  /** How many migrations its schema has. */
  readonly migrationCount: number;
  readonly statements: readonly string[];
}

function readRelease(file: string): Release {
  const [head = '', ...lines] = readFileSync(join(FOLDER, file), 'utf8').trim().split('\n');
  return {
    version: basename(file, '.sql'),
    migrationCount: Number(/(\d+) migrations/.exec(head)?.[1]),
    statements: lines.map((line) => line.replace(/;$/, '')),
  };
}

const NUMERIC = new Intl.Collator('en', { numeric: true });

/** The versions whose statements are kept, oldest first. */
export const RELEASES = readdirSync(FOLDER)
  .map(readRelease)
  .sort((one, other) => NUMERIC.compare(one.version, other.version));
