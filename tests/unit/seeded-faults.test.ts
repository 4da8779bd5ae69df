import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SEEDED_FAULTS } from '../../torture/seeded-faults.ts';

test('what the seeded faults replace is in the code as they quote it (npm run torture -- --only S1)', () => {
  const edits = SEEDED_FAULTS.flatMap(({ name, edits }) => edits.map((edit) => ({ name, ...edit })));
  const stale = edits.filter(({ file, text }) => !readFileSync(file, 'utf8').includes(text));
  expect(stale.map(({ name, file }) => `${name}: ${file}`)).toEqual([]);
});
