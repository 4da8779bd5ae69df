import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

test('the changelog begins with this version, after what is not released, and package-lock.json has it too', () => {
  const versions = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (\S+)$/gm)].map(([, name]) => name);
  expect(versions.find((name) => name !== 'Unreleased')).toBe(version);
  expect(versions).toEqual([...new Set(versions)]);
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  expect([lock.version, lock.packages[''].version]).toEqual([version, version]);
});
