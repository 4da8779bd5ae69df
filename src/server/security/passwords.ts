import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';

/** OWASP's first recommendation for Argon2id: 19 MiB, two passes, one lane. The library's default algorithm is id. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Verified against when there is no such account, so that knowing and not knowing cost the same. */
let nobodysHash: Promise<string> | undefined;

/** Hashing is the dearest thing a stranger can ask for: no more at once than there are cores. */
const SLOTS = availableParallelism();

let free = SLOTS;
const waiting: (() => void)[] = [];

/** Runs work that hashes in one of the few slots. What it checks before hashing is current when its turn comes. */
export async function inHashingSlot<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }
}

/** Compatibility composition, so that the same keys on another keyboard give the same password (NIST 800-63B). */
const normalise = (password: string) => password.normalize('NFKC');

export function hashPassword(password: string): Promise<string> {
  return hash(normalise(password), PARAMETERS);
}

/** Stored for accounts that nobody can log in to: the authors of the sample data. */
export const NO_PASSWORD = 'none';

/** @param storedHash undefined when there is no such account: costs the same and is never right */
export async function isPassword(storedHash: string | undefined, password: string): Promise<boolean> {
  nobodysHash ??= hash(randomBytes(16), PARAMETERS);
  const comparable = storedHash === NO_PASSWORD ? undefined : storedHash;
  const isRight = await verify(comparable ?? (await nobodysHash), normalise(password));
  return isRight && comparable !== undefined;
}

/** A stored hash made with other parameters is renewed at the next login. */
export function isOutdated(storedHash: string): boolean {
  const { memoryCost, timeCost, parallelism } = PARAMETERS;
  return !storedHash.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
}
