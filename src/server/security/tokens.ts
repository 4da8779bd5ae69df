import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Milliseconds } from '../database/tables.ts';
import type { KeyRing } from './secrets.ts';

const ALGORITHM = 'HS256';
const ISSUER = 'school-reviews';
const AUDIENCE = 'school-reviews';

/** The claims of a token. Only `userId` and `sessionId` are trusted, and only together with the session's row. */
export interface TokenClaims {
  readonly userId: number;
  readonly username: string;
  readonly isAdmin: boolean;
  readonly sessionId: string;
}

const inSeconds = (time: Milliseconds) => Math.floor(time / 1000);

/** Signs a token with the claims of spec §3: userId, sub (the username) and isAdmin. */
export function issueToken(key: Uint8Array, claims: TokenClaims, issuedAt: Milliseconds, expiresAt: Milliseconds) {
  return new SignJWT({ userId: claims.userId, isAdmin: claims.isAdmin })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setSubject(claims.username)
    .setJti(claims.sessionId)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt(inSeconds(issuedAt))
    .setExpirationTime(inSeconds(expiresAt))
    .sign(key);
}

/** The claims of a token whose signature was verified, and when it expires. */
interface VerifiedToken {
  readonly userId: number;
  /** The username at the time of the login. */
  readonly username: string;
  readonly sessionId: string;
  readonly expiresAt: Milliseconds;
}

/** How many tokens with a verified signature are cached. One takes about half a kilobyte. */
const VERIFIED_MAX = 4_000;

async function verify(key: Uint8Array, token: string, now: Milliseconds): Promise<VerifiedToken | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      typ: 'JWT',
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['exp', 'iat', 'jti', 'sub'],
      currentDate: new Date(now),
    });
    const { userId, sub: username, jti, exp } = payload;
    if (typeof userId !== 'number' || username === undefined || jti === undefined || exp === undefined)
      return undefined;
    return { userId, username, sessionId: jti, expiresAt: exp * 1000 };
  } catch {
    // Every fault of a token has the same result: no session.
    return undefined;
  }
}

/**
 * Makes the reader of tokens. A verified signature stays valid, so it is cached and not verified with every request.
 * The expiry is checked each time, and the database decides whether the session still exists. A token that is forged,
 * expired or foreign is read as undefined.
 */
export function createTokenReader(keys: KeyRing) {
  const verified = new LRUCache<string, VerifiedToken>({ max: VERIFIED_MAX });
  return async (token: string, now: Milliseconds): Promise<VerifiedToken | undefined> => {
    const known = verified.get(token);
    if (known && now < known.expiresAt) return known;
    for (const key of keys) {
      const found = await verify(key, token, now);
      if (!found) continue;
      verified.set(token, found);
      return found;
    }
    return undefined;
  };
}
