import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { SettingError } from '../settings.ts';

const SECRET_FILE = 'token-secret';

/** The first key makes new values; any of the keys verifies one. */
export type KeyRing = readonly [current: Uint8Array, ...former: Uint8Array[]];

/** Keys for one purpose each, derived from the one secret, so that none can stand in for another. */
export interface Keys {
  readonly token: KeyRing;
  readonly passcode: KeyRing;
  readonly throttle: Uint8Array;
  /** For names in the log that group lines and name nobody. */
  readonly log: Uint8Array;
}

function derive(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `school-reviews ${purpose}`, 32));
}

/** A shorter secret is a file that a full disk or a power cut has left incomplete. */
const SECRET_MIN = 32;

/**
 * Writes and syncs the secret before it gets its name: a power cut must not leave an empty one, whose keys everybody
 * could derive. Of two processes that start at once one gives it the name, and both read the same.
 */
function makeSecret(path: string): void {
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, randomBytes(48).toString('base64url'), { mode: 0o600, flush: true });
    giveName(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Gives the file its name unless the name is taken. @throws EEXIST when it is */
function giveName(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    // Some file systems have no links.
    copyFileSync(draft, path, constants.COPYFILE_EXCL);
  }
}

/** @throws {SettingError} when it is not whole */
function readOrMakeSecret(dataDir: string): string {
  const path = join(dataDir, SECRET_FILE);
  if (!existsSync(path)) makeSecret(path);
  if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  const secret = readFileSync(path, 'utf8').trim();
  if (Buffer.byteLength(secret) < SECRET_MIN) {
    // Never replaced automatically: an operator who can restore the right one keeps all sessions.
    throw new SettingError(
      'TOKEN_SECRET',
      `is not set, and ${path} is cut to ${Buffer.byteLength(secret)} bytes`,
      `at least ${SECRET_MIN} bytes; without the file a new secret is made and everybody logs in again`,
    );
  }
  return secret;
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
  return {
    token: ringOf('token'),
    passcode: ringOf('passcode'),
    throttle: derive(secret, 'throttle'),
    log: derive(secret, 'log'),
  };
}

/** A keyed hash, as text that a database column can hold. */
export function keyedHash(key: Uint8Array, ...parts: string[]): string {
  const hash = createHmac('sha256', key);
  // The length before each part keeps ("ab", "c") and ("a", "bc") apart.
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:${part}`);
  return hash.digest('base64url');
}

/** 96 bits: no two accounts of one site share a pseudonym by chance. */
const PSEUDONYM_LENGTH = 16;

/** The pseudonym of an account or address in the log: always the same one, and meaningless without the secret. */
export function pseudonym({ log }: Pick<Keys, 'log'>, of: 'account' | 'address', subject: string): string {
  return keyedHash(log, of, subject).slice(0, PSEUDONYM_LENGTH);
}
