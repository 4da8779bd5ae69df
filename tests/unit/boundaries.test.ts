import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { BOUNDARIES, type Boundary, SERVER } from '../support/boundaries.ts';

interface Import {
  readonly from: string;
  /** A file of the project, a module of Node or a package. */
  readonly to: string;
}

/** The imports and re-exports of a file, types included. */
function readImports(from: string, text = readFileSync(from, 'utf8')): Import[] {
  const { module } = parseSync(from, text);
  const named = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ];
  return named.map((to) => ({ from, to: to.startsWith('.') ? path.posix.join(path.posix.dirname(from), to) : to }));
}

const IMPORTS = globSync('src/**/*.{ts,tsx}').flatMap((file) => readImports(file));

const PAGES = /^src\/client\/pages\/[^/]+\//;

function isRefused({ from, to }: Import, boundary: Boundary): boolean {
  if (!boundary.from.test(from) || !boundary.to.test(to) || boundary.except?.test(to)) return false;
  // A page may import from its own folder.
  return PAGES.exec(from)?.[0] !== PAGES.exec(to)?.[0] || !PAGES.test(to);
}

const refused = (imports: readonly Import[]) =>
  imports.flatMap((one) =>
    BOUNDARIES.filter((boundary) => isRefused(one, boundary)).map(({ why }) => `${one.from} > ${one.to}: ${why}`),
  );

test('nothing is imported across a boundary', () => {
  expect(refused(IMPORTS)).toEqual([]);
});

test('every folder of the server has its row, and no two rows allow each other', () => {
  const folders = readdirSync('src/server', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(Object.keys(SERVER).sort());
  const both = Object.entries(SERVER).filter(([one, allowed]) => allowed.some((other) => SERVER[other]?.includes(one)));
  expect(both).toEqual([]);
});

test('a row allows nothing that nobody imports', () => {
  const isUsed = (from: string, to: string) =>
    IMPORTS.some((one) => one.from.startsWith(`src/server/${from}/`) && one.to.startsWith(`src/server/${to}/`));
  const domains = new Set(['schools', 'entries', 'reviews', 'proposals', 'moderation', 'accounts', 'profiles', 'data']);
  const unused = Object.entries(SERVER)
    .filter(([folder]) => !domains.has(folder))
    .flatMap(([folder, allowed]) =>
      allowed.filter((other) => !isUsed(folder, other)).map((other) => `${folder} > ${other}`),
    );
  expect(unused).toEqual([]);
});

test.each([
  ['src/server/database/a.ts', "import '../http/b.ts'"],
  ['src/server/http/cache/a.ts', "import type { B } from '../../mail/b.ts'"],
  ['src/server/entries/a.ts', "export { b } from '../reviews/queries.ts'"],
  ['src/server/reviews/a.ts', "import '../new-folder/b.ts'"],
  ['src/server/proposals/a.ts', "await import('../entries/routes.ts')"],
  ['src/server/reviews/rules.ts', "import { sql } from 'kysely'"],
  ['src/server/app.ts', "import '../client/api.ts'"],
  ['src/server/commands/a.ts', "import 'node:child_process'"],
  ['src/contract/a.ts', "import '../server/app.ts'"],
  ['src/contract/a.ts', "import 'node:fs'"],
  ['src/client/api.ts', "import '../server/app.ts'"],
  ['src/client/pages/reviews/a.tsx', "import '../schools/b.tsx'"],
  ['src/client/components/a.tsx', "import '../pages/schools/b.tsx'"],
  ['src/client/api.ts', "import '../../tests/support/call.ts'"],
])('%s is refused %s', (file, text) => {
  expect(refused(readImports(file, text))).toHaveLength(1);
});

test.each([
  [
    'src/server/proposals/queries.ts',
    "import 'kysely'; import '../entries/queries.ts'; import '../../contract/reviews.ts'",
  ],
  ['src/server/app.ts', "import './reviews/routes.ts'"],
  ['src/client/pages/reviews/a.tsx', "import './b.tsx'; import '../../components/c.tsx'"],
])('%s may %s', (file, text) => {
  expect(refused(readImports(file, text))).toEqual([]);
});
