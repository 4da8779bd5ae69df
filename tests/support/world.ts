import { call } from './call.ts';
import type { Product } from './product.ts';
import { createSchool, createUser, type TestUser } from './rows.ts';

/** A product with a school, and its users. Each has a profile. */
export interface World {
  readonly product: Product;
  /** The user who owns the rows that requests are about. */
  readonly user: TestUser;
  readonly other: TestUser;
  readonly admin: TestUser;
}

/** The parts of a request besides its token. */
export interface ValidRequest {
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Makes the rows that a request is about. @returns the request, which succeeds for callers who may make it */
export type Prepare = (world: World) => Promise<ValidRequest>;

/** A profile with every field filled. */
export const PREFERENCES = {
  location: 'Norway',
  major: 'Marine biology',
  academicLevel: 'Bachelor',
  campusSetting: 'by the sea',
  finance: 'scholarship',
  goals: 'research',
  living: 'quiet hall',
  personal: 'boats',
};

export async function createWorld(product: Product): Promise<World> {
  await createSchool(product);
  const user = await createUser(product);
  const other = await createUser(product);
  const admin = await createUser(product, { isAdmin: true });
  for (const { id: userId, token } of [user, other, admin]) {
    const { status } = await call(product, 'POST /auth/postProfile', { token, body: { userId, ...PREFERENCES } });
    if (status !== 201) throw new Error(`a profile was answered with ${status}`);
  }
  return { product, user, other, admin };
}
