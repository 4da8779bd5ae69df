import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SECRET_FILE = 'token-secret';

/** Keys for one purpose each, derived from the one secret, so that none can stand in for another. */
export interface Keys {
  readonly token: Uint8Array;
  readonly passcode: Uint8Array;
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

/** The keys of this installation: from TOKEN_SECRET, else from a secret made once in the data folder. */
export function openKeys(tokenSecret: string | undefined, dataDir: string): Keys {
  const secret = tokenSecret ?? readOrMakeSecret(dataDir);
  return {
    token: derive(secret, 'token'),
    passcode: derive(secret, 'passcode'),
    throttle: derive(secret, 'throttle'),
  };
}

/** A keyed hash, as text that a database column can hold. */
export function keyedHash(key: Uint8Array, ...parts: string[]): string {
  const hash = createHmac('sha256', key);
  // The length before each part keeps ("ab", "c") and ("a", "bc") apart.
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:${part}`);
  return hash.digest('base64url');
}
