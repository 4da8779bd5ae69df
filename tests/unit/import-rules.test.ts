import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

interface Override {
  includes: string[];
  linter: {
    rules: { style: { noRestrictedImports: { options: { paths: object; patterns: { group: string[] }[] } } } };
  };
}

const RULES: { overrides: Override[] } = JSON.parse(readFileSync('biome.server.json', 'utf8'));
const FOLDERS = readdirSync('src/server', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const BIOME = 'node_modules/@biomejs/biome/bin/biome';

/** What each import of a probe is refused with, by its line; the probe stands in a folder of the server. */
function lint(probes: Record<string, readonly string[]>): Record<string, number[]> {
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ overrides: RULES.overrides }));
  for (const [name, imports] of Object.entries(probes)) {
    mkdirSync(join(folder, 'src/server', name), { recursive: true });
    const lines = imports.map((path, index) => `import { a${index} } from '${path}';`);
    writeFileSync(join(folder, 'src/server', name, 'probe.ts'), lines.join('\n'));
  }
  const options = ['lint', '--only=style/noRestrictedImports', '--reporter=json', '--max-diagnostics=none', '.'];
  const { stdout } = spawnSync(process.execPath, [join(process.cwd(), BIOME), ...options], {
    cwd: folder,
    encoding: 'utf8',
  });
  const found: { location: { path: string; start: { line: number } } }[] = JSON.parse(stdout).diagnostics;
  return Object.fromEntries(
    Object.keys(probes).map((name) => {
      const path = join('src/server', name, 'probe.ts');
      const lines = found.filter(({ location }) => location.path === path).map(({ location }) => location.start.line);
      return [name, lines.sort((one, other) => one - other)];
    }),
  );
}

const folder = mkdtempSync(join(tmpdir(), 'import-rules-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every folder of the server has one rule that says what it may import', () => {
  expect(FOLDERS.length).toBeGreaterThan(15);
  const covered = RULES.overrides.flatMap(({ includes }) => includes);
  const wanted = ['src/server/*.ts', ...FOLDERS.map((name) => `src/server/${name}/**`)];
  expect(covered.toSorted()).toEqual(wanted.toSorted());
  for (const { linter } of RULES.overrides) {
    const { paths, patterns } = linter.rules.style.noRestrictedImports.options;
    expect(Object.keys(paths)).toEqual(['node:child_process']);
    // All that is beside a folder is refused but what is named: what is added later is refused too.
    expect(patterns.map(({ group: [first] }) => first)).toEqual(['../**']);
    expect(patterns[0]?.group.slice(1)).toEqual(patterns[0]?.group.slice(1).filter((path) => path.startsWith('!')));
  }
});

test('no folder may import the browser, a folder that is new, or a process to start', () => {
  const probes = Object.fromEntries(
    FOLDERS.map((name) => [name, ['./own.ts', '../../client/api.ts', '../new-folder/any.ts', 'node:child_process']]),
  );
  expect(lint(probes)).toEqual(Object.fromEntries(FOLDERS.map((name) => [name, [2, 3, 4]])));
});

test('a domain knows queries of others, not their rules; what it stands on knows no domain', () => {
  const imports = [
    '../schools/queries.ts',
    '../schools/routes.ts',
    '../../contract/call.ts',
    '../database/database.ts',
  ];
  const refused = lint({ reviews: imports, serve: imports, mail: imports, documents: imports, database: imports });
  expect(refused).toEqual({ reviews: [2], serve: [1, 2], mail: [1, 2, 3], documents: [2], database: [1, 2, 3, 4] });
});

test('the cache knows the database, which knows no cache', () => {
  const imports = ['../database/database.ts', '../cache/tags.ts'];
  expect(lint({ cache: imports.slice(0, 1), database: imports.slice(1) })).toEqual({ cache: [], database: [1] });
});
