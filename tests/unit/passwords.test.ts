import { expect, test } from 'vitest';
import { hashPassword, isOutdated, isPassword } from '../../src/server/security/passwords.ts';

test('a password is hashed with Argon2id at 19 MiB, two passes and one lane', async () => {
  const hashed = await hashPassword('plain sailing on tuesdays');
  expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(isOutdated(hashed)).toBe(false);
  expect(isOutdated(hashed.replace('m=19456', 'm=12288'))).toBe(true);
  expect(await isPassword(hashed, 'plain sailing on tuesdays')).toBe(true);
  expect(await isPassword(hashed, 'plain sailing on mondays')).toBe(false);
});
