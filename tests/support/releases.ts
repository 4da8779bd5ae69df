import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'tests/releases.sql';
const HEAD =
  '-- What each version sends to PostgreSQL: a statement, and the versions that send it. Written by npm run statements.';

/** What a version sends to PostgreSQL, as `npm run statements` has noted it. */
export interface Release {
  readonly version: string;
  /** How many migrations its schema has. */
  readonly migrationCount: number;
  readonly statements: readonly string[];
}

const NUMERIC = new Intl.Collator('en', { numeric: true });

/** Reads the versions of the heading, oldest first: one whose line is removed there is no longer served. */
export function readReleases(): Release[] {
  const text = readFileSync(FILE, 'utf8');
  const lines = text.split('\n').map((line) => line.split('; -- '));
  return [...text.matchAll(/^-- (\S+): (\d+) migrations$/gm)]
    .map(([, version = '', count]) => ({
      version,
      migrationCount: Number(count),
      statements: lines.flatMap(([statement = '', of]) => (of?.split(' ').includes(version) ? [statement] : [])),
    }))
    .sort((one, other) => NUMERIC.compare(one.version, other.version));
}

/** Writes what a version sends, in place of what was noted of it. */
export function writeRelease(release: Release): void {
  const releases = [...readReleases().filter(({ version }) => version !== release.version), release];
  const versionsOf = new Map<string, string[]>();
  for (const { version, statements } of releases)
    for (const one of statements) versionsOf.set(one, [...(versionsOf.get(one) ?? []), version]);
  const counts = releases.map(({ version, migrationCount }) => `-- ${version}: ${migrationCount} migrations`);
  const lines = [...versionsOf].map(([statement, versions]) => `${statement}; -- ${versions.join(' ')}`).sort();
  writeFileSync(FILE, `${[HEAD, ...counts, ...lines].join('\n')}\n`);
}
