import { randomBytes } from 'node:crypto';
import type { Options } from '@node-rs/argon2';
import { vi } from 'vitest';

// Loaded before each file of API tests: they hash thousands of passwords, and what a hash costs is not their subject.
// tests/unit/passwords.test.ts tests what a hash must cost, and tests/api/hash-count.test.ts how often one is made.
// Processes that a test starts hash as in production.
vi.mock('@node-rs/argon2', async (importOriginal) => {
  const argon2 = await importOriginal<typeof import('@node-rs/argon2')>();
  const { hashCounts } = await import('./hash-counts.ts');
  /** The beginning of the salt of every cheap hash, by which `verify` recognises it. */
  const mark = Buffer.from('cheap hash');
  const markInHash = mark.subarray(0, 9).toString('base64');
  const [realCost, cheapCost] = ['$m=19456,t=2,p=1$', '$m=8,t=1,p=1$'];
  return {
    ...argon2,
    async hash(password: string | Uint8Array, options: Options) {
      hashCounts.hash += 1;
      // A given salt has a meaning of its own, and is not replaced.
      if (options.salt) return argon2.hash(password, options);
      const salt = Buffer.concat([mark, randomBytes(6)]);
      return (await argon2.hash(password, { salt, memoryCost: 8, timeCost: 1, parallelism: 1 })).replace(
        cheapCost,
        realCost,
      );
    },
    verify(hashed: string, password: string | Uint8Array) {
      hashCounts.verify += 1;
      return argon2.verify(hashed.includes(`$${markInHash}`) ? hashed.replace(realCost, cheapCost) : hashed, password);
    },
  };
});
