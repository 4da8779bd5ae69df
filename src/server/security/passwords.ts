import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/**
 * OWASP's first recommendation for Argon2id: 19 MiB, two passes, one lane. The library's default algorithm is Argon2id.
 */
const ARGON2_PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash that is compared when there is no such account, so that a request takes as long as with one. */
let dummyHash: Promise<string> | undefined;

/** Compatibility composition: the same keys on another keyboard must give the same password (NIST 800-63B). */
const normalise = (password: string) => password.normalize('NFKC');

export function hashPassword(password: string): Promise<string> {
  return hash(normalise(password), ARGON2_PARAMETERS);
}

/** Marks the hash of a printed password. A random salt would add nothing to 128 random bits. */
const PRINTED_SALT = Buffer.from('printed password');

/** Hashes a generated password that is printed, so that the product can later detect whether it is still in use. */
export function hashPrintedPassword(password: string): Promise<string> {
  return hash(normalise(password), { ...ARGON2_PARAMETERS, salt: PRINTED_SALT });
}

/** Whether a stored hash is that of a printed password. */
export function isPrintedPassword(storedHash: string): boolean {
  return storedHash.includes(`$${PRINTED_SALT.toString('base64').replaceAll('=', '')}$`);
}

/** Stored where no password is right: for invented users, and for contested accounts after their verification. */
export const NO_PASSWORD = 'none';

/** @param storedHash undefined when there is no such account: the check then takes as long and always fails */
export async function isPassword(storedHash: string | undefined, password: string): Promise<boolean> {
  dummyHash ??= hash(randomBytes(16), ARGON2_PARAMETERS);
  const comparable = storedHash === NO_PASSWORD ? undefined : storedHash;
  const isRight = await verify(comparable ?? (await dummyHash), normalise(password));
  return isRight && comparable !== undefined;
}

/** Whether a stored hash was made with other parameters. It is renewed at the next login. */
export function isOutdated(storedHash: string): boolean {
  const { memoryCost, timeCost, parallelism } = ARGON2_PARAMETERS;
  return !storedHash.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
}
