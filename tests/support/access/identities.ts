import { randomBytes } from 'node:crypto';
import { issueToken, type TokenClaims } from '../../../src/server/security/tokens.ts';
import { call } from '../call.ts';
import type { Product } from '../product.ts';
import { createUser, readPasscode, signIn } from '../rows.ts';
import type { World } from '../world.ts';
import type { Identity } from './matrix.ts';

const HOUR = 60 * 60_000;

/** The claims of a token, which anybody can read. */
function claimsOf(token: string): TokenClaims {
  const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return { userId: payload.userId, username: payload.sub, isAdmin: payload.isAdmin, sessionId: payload.jti };
}

/** A token of an admin whose session began a day and an hour ago. */
async function expiredToken(product: Product): Promise<string> {
  product.clock.ahead -= 25 * HOUR;
  const { token } = await createUser(product, { isAdmin: true });
  product.clock.ahead += 25 * HOUR;
  return token;
}

/** A token with the claims of a valid one, which anybody can copy, signed with another key. */
function forgedToken({ admin }: World): Promise<string> {
  return issueToken(randomBytes(32), claimsOf(admin.token), Date.now(), Date.now() + 24 * HOUR);
}

async function deletedToken({ product, admin }: World): Promise<string> {
  const { id, token } = await createUser(product, { isAdmin: true });
  const { status } = await call(product, `DELETE /auth/deleteUser/${id}`, { token: admin.token });
  if (status !== 204) throw new Error(`deleting a user was answered with ${status}`);
  return token;
}

async function tokenBeforeReset({ product }: World): Promise<string> {
  const { email, token } = await createUser(product, { isAdmin: true });
  await call(product, 'POST /auth/forgotPassword', { body: { email } });
  const forgotCode = await readPasscode(product, email);
  const body = { email, forgotCode, newPassword: 'a brand new secret' };
  const { status } = await call(product, 'POST /auth/resetPassword', { body });
  if (status !== 200) throw new Error(`a reset was answered with ${status}`);
  return token;
}

/** Makes the token of each identity. Users that exist get a session for each call, since some calls end sessions. */
export type Tokens = Readonly<Record<Identity, () => Promise<string | undefined>>>;

export async function createTokens(world: World): Promise<Tokens> {
  const invalidTokens = {
    expired: await expiredToken(world.product),
    forged: await forgedToken(world),
    deleted: await deletedToken(world),
    reset: await tokenBeforeReset(world),
  };
  return {
    none: async () => undefined,
    garbage: async () => 'garbage',
    expired: async () => invalidTokens.expired,
    forged: async () => invalidTokens.forged,
    deleted: async () => invalidTokens.deleted,
    reset: async () => invalidTokens.reset,
    other: () => signIn(world.product, world.other.id),
    user: () => signIn(world.product, world.user.id),
    admin: () => signIn(world.product, world.admin.id),
  };
}
