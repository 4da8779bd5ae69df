import { expect } from 'vitest';
import { call } from './call.ts';
import type { Product } from './product.ts';
import { readMailsTo, readPasscode, unique } from './rows.ts';

function newcomer() {
  const username = unique('new');
  return { username, email: `${username}@Example.org`, password: 'correct horse battery staple' };
}

/** Changes a code into one that is certainly wrong. */
export const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** The steps of a user. @param product returns the product, which may be started later */
export function createAccountSteps(product: () => Product) {
  const post = (path: string, body?: object, token?: string) => call(product(), `POST /auth/${path}`, { body, token });
  const verify = (email: string, verificationCode: string) => post('verify', { email, verificationCode });
  const signUp = async (user = newcomer()) => {
    expect((await post('signup', user)).status).toBe(201);
    return user;
  };
  return {
    newcomer,
    post,
    verify,
    signUp,
    logIn: (email: string, password: string) => post('login', { email, password }),
    async member() {
      const user = await signUp();
      expect((await verify(user.email, await readPasscode(product(), user.email))).status).toBe(200);
      return user;
    },
    isSessionValid: async (token: string) => {
      const { status } = await call(product(), 'GET /auth/getMyJobsReview/1', { token });
      expect([200, 401, 404]).toContain(status);
      return status !== 401;
    },
    mailsTo: (email: string) => readMailsTo(product(), email),
  };
}
