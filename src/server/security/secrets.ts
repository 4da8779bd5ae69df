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
import { SettingError } from '../settings/environment.ts';

const SECRET_FILE = 'token-secret';

/** New values are made with the first key, and verified with any of the keys. */
export type KeyRing = readonly [current: Uint8Array, ...former: Uint8Array[]];

/** One key for each purpose, all derived from the same secret, so that none can be used for another purpose. */
export type Keys = Readonly<ReturnType<typeof openKeys>>;

function deriveKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `school-reviews ${purpose}`, 32));
}

/** A shorter secret is a file that is incomplete after a full disk or a power cut. */
const SECRET_MIN = 32;

/**
 * Writes and syncs the secret before it gets its final name: after a power cut there must not be an empty file, whose
 * keys everybody could derive. If two processes start at once, only one can give its file the final name, and both read
 * that file.
 */
function writeNewSecret(path: string): void {
  const temporaryPath = `${path}.${process.pid}`;
  try {
    writeFileSync(temporaryPath, randomBytes(48).toString('base64url'), { mode: 0o600, flush: true });
    linkOrCopy(temporaryPath, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporaryPath, { force: true });
  }
}

/** Gives the file its final name. @throws EEXIST when that name is taken */
function linkOrCopy(temporaryPath: string, path: string): void {
  try {
    linkSync(temporaryPath, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    // For file systems without hard links.
    copyFileSync(temporaryPath, path, constants.COPYFILE_EXCL);
  }
}

/** @throws {SettingError} when the file is incomplete */
function readOrCreateSecret(dataDir: string): string {
  const path = join(dataDir, SECRET_FILE);
  if (!existsSync(path)) writeNewSecret(path);
  if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  const secret = readFileSync(path, 'utf8').trim();
  if (Buffer.byteLength(secret) < SECRET_MIN) {
    // Never replaced automatically: an operator who restores the right one keeps all sessions.
    throw new SettingError(
      'TOKEN_SECRET',
      `is not set, and ${path} is cut to ${Buffer.byteLength(secret)} bytes`,
      `at least ${SECRET_MIN} bytes; without the file a new secret is made and everybody logs in again`,
    );
  }
  return secret;
}

/**
 * The keys of this installation, derived from TOKEN_SECRET or from a secret made once in the data folder.
 * @param previousSecret the secret used before, while its tokens and mailed codes are still accepted
 */
export function openKeys(tokenSecret: string | undefined, dataDir: string, previousSecret?: string) {
  const secret = tokenSecret ?? readOrCreateSecret(dataDir);
  const ringOf = (purpose: string): KeyRing => [
    deriveKey(secret, purpose),
    ...(previousSecret === undefined ? [] : [deriveKey(previousSecret, purpose)]),
  ];
  return {
    token: ringOf('token'),
    passcode: ringOf('passcode'),
    throttle: deriveKey(secret, 'throttle'),
    /** For names that their owners gave up. */
    formerName: ringOf('former name'),
    /** For the digests of files that an admin has checked before an import. */
    checkedFile: deriveKey(secret, 'checked file'),
    /** For pseudonyms in the log, which connect lines without naming anybody. */
    log: deriveKey(secret, 'log'),
  };
}

/**
 * A value that is the same for all sites with the same secret, and does not reveal it.
 * @returns undefined when there is no secret yet: none is made
 */
export function readSecretFingerprint(tokenSecret: string | undefined, dataDir: string): string | undefined {
  if (tokenSecret === undefined && !existsSync(join(dataDir, SECRET_FILE))) return undefined;
  return keyedHash(deriveKey(tokenSecret ?? readOrCreateSecret(dataDir), 'export'), 'mark');
}

/** A keyed hash, as text for a database column. */
export function keyedHash(key: Uint8Array, ...parts: string[]): string {
  const hash = createHmac('sha256', key);
  // Each part is preceded by its length: otherwise ("ab", "c") and ("a", "bc") would have the same hash.
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:${part}`);
  return hash.digest('base64url');
}

/** 96 bits: two accounts of one site will not get the same pseudonym by chance. */
const PSEUDONYM_LENGTH = 16;

/** The pseudonym of an account or address in the log: always the same, and meaningless without the secret. */
export function pseudonym({ log }: Pick<Keys, 'log'>, of: 'account' | 'address', subject: string): string {
  return keyedHash(log, of, subject).slice(0, PSEUDONYM_LENGTH);
}
