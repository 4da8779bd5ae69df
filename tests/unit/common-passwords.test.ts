import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { PASSWORD_MAX, PASSWORD_MIN } from '../../src/contract/accounts.ts';
import { isCommonPassword } from '../../src/server/security/common-passwords.ts';

const FOLDER = 'src/server/security/common-passwords';
const text = brotliDecompressSync(readFileSync(`${FOLDER}/passwords.txt.br`)).toString('utf8');
const passwords = text.slice(1, -1).split('\n');

test('the list is the one that its page describes, with its licence beside it', () => {
  const page = readFileSync(`${FOLDER}/README.md`, 'utf8');
  expect(page).toContain(createHash('sha256').update(text).digest('hex'));
  expect(page).toContain(passwords.length.toLocaleString('en'));
  expect(readFileSync(`${FOLDER}/LICENSE`, 'utf8')).toMatch(/^SecLists: Copyright .*\n(.*\n)*MIT License$/m);
});

test('it holds more than 100,000 passwords that could be chosen, sorted, each once', () => {
  expect(passwords.length).toBeGreaterThan(100_000);
  const wrong = passwords.filter(
    (password, index) =>
      [...password].length < PASSWORD_MIN ||
      password.length > PASSWORD_MAX ||
      password !== password.toLowerCase() ||
      password <= (passwords[index - 1] ?? ''),
  );
  expect(wrong).toEqual([]);
});

test.each([
  // The usual ones, and the first and the last of the list.
  ...['password', '12345678', '123456789', '1234567890', 'qwertyuiop', '1qaz2wsx', 'iloveyou', 'baseball', 'football'],
  ...['superman', 'trustno1', 'sunshine', 'princess', 'password1', 'passw0rd', 'p@ssw0rd', 'PASSWORD123', '11111111'],
  ...[passwords[0] as string, passwords.at(-1) as string],
])('%j is a common password', async (password) => {
  expect(await isCommonPassword(password)).toBe(true);
});

test.each([
  ...['correct horse battery staple', 'password123 ', '', '\n', 'password\n12345678', 'asswor', '\n12345678\n'],
])('%j is none', async (password) => {
  expect(await isCommonPassword(password)).toBe(false);
});
