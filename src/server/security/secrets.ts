import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SECRET_FILE = 'token-secret';

/** What is made is made with the first key; what is shown to us may have been made with any. */
export type KeyRing = readonly [current: Uint8Array, ...former: Uint8Array[]];

/** Keys for one purpose each, derived from the one secret, so that none can stand in for another. */
export interface Keys {
  readonly token: KeyRing;
  readonly passcode: KeyRing;
  readonly throttle: Uint8Array;
}

function derive(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `school-reviews ${purpose}`, 32));
}

/** @throws when another account of this machine could read the stored secret */
function readOrMakeSecret(dataDir: string): string {
  const path = join(dataDir, SECRET_FILE);
  if (!existsSync(path)) {
    // wx: of two processes starting at once, one makes it and the other reads it.
    try {
      writeFileSync(path, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  return readFileSync(path, 'utf8').trim();
}

/**
 * The keys of this installation: from TOKEN_SECRET, else from a secret made once in the data folder.
 * @param previousSecret what was used before, while its tokens and mailed codes shall still be taken
 */
export function openKeys(tokenSecret: string | undefined, dataDir: string, previousSecret?: string): Keys {
  const secret = tokenSecret ?? readOrMakeSecret(dataDir);
  const ringOf = (purpose: string): KeyRing => [
    derive(secret, purpose),
    ...(previousSecret === undefined ? [] : [derive(previousSecret, purpose)]),
  ];
  return { token: ringOf('token'), passcode: ringOf('passcode'), throttle: derive(secret, 'throttle') };
}

/** A keyed hash, as text that a database column can hold. */
export function keyedHash(key: Uint8Array, ...parts: string[]): string {
  const hash = createHmac('sha256', key);
  // The length before each part keeps ("ab", "c") and ("a", "bc") apart.
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:${part}`);
  return hash.digest('base64url');
}
