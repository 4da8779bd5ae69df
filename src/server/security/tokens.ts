import { jwtVerify, SignJWT } from 'jose';
import type { Milliseconds } from '../database/tables.ts';

const ALGORITHM = 'HS256';
const ISSUER = 'school-reviews';
const AUDIENCE = 'school-reviews';

/** What a token says. Only `userId` and `sessionId` are trusted, and only together with the session's row. */
export interface TokenClaims {
  readonly userId: number;
  readonly username: string;
  readonly isAdmin: boolean;
  readonly sessionId: string;
}

const inSeconds = (time: Milliseconds) => Math.floor(time / 1000);

/** Signs a token in the shape of spec §3: userId, sub (the username) and isAdmin. */
export function issueToken(
  key: Uint8Array,
  claims: TokenClaims,
  issuedAt: Milliseconds,
  expiresAt: Milliseconds,
): Promise<string> {
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

/** What a token in order says, or undefined: forged, expired or not one of ours. */
export async function readToken(
  key: Uint8Array,
  token: string,
  now: Milliseconds,
): Promise<Pick<TokenClaims, 'userId' | 'sessionId'> | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      typ: 'JWT',
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['exp', 'iat', 'jti', 'sub'],
      currentDate: new Date(now),
    });
    if (typeof payload.userId !== 'number' || payload.jti === undefined) return undefined;
    return { userId: payload.userId, sessionId: payload.jti };
  } catch {
    // Whatever is wrong with it, the answer is the same: no session.
    return undefined;
  }
}
