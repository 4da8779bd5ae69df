import { expect } from 'vitest';
import { type Case, caseOf, get, post } from '../plan-site.ts';
import { createUser, PASSWORD, readPasscode, signIn, unique } from '../rows.ts';

/** Accounts, and what is stored about their users. */
export const ACCOUNTS: Case[] = [
  caseOf(
    'signing up, passcode, login, logout',
    ['users', 'throttles', 'outbox', 'passcodes', 'sessions'],
    async (site) => {
      const username = unique('newcomer');
      const email = `${username}@example.org`;
      await post(site, '/auth/signup', { username, email, password: PASSWORD });
      const verificationCode = await readPasscode(site.product, email);
      expect((await post(site, '/auth/verify', { email, verificationCode })).status).toBe(200);
      expect((await post(site, '/auth/login', { email, password: 'not the password' })).status).toBe(401);
      const { body } = await post(site, '/auth/login', { email, password: PASSWORD });
      expect((await post(site, '/auth/logout', undefined, body.token)).status).toBeLessThan(300);
    },
  ),
  caseOf(
    'a forgotten password, and every session ended',
    ['users', 'throttles', 'outbox', 'passcodes', 'sessions'],
    async (site) => {
      const { id, email } = await createUser(site.product);
      await post(site, '/auth/forgotPassword', { email });
      const forgotCode = await readPasscode(site.product, email);
      const newPassword = 'a brand new secret';
      expect((await post(site, '/auth/resetPassword', { email, forgotCode, newPassword })).status).toBe(200);
      const token = await signIn(site.product, id);
      expect((await post(site, '/auth/logoutAll', undefined, token)).status).toBeLessThan(300);
    },
  ),
  caseOf('profile and recommendation', ['profiles', 'schools', 'entries', 'reviews'], async (site) => {
    const { id, token } = site.user;
    await post(site, '/auth/postProfile', { userId: id, major: 'Biology' }, token);
    expect((await get(site, `/auth/getProfile/${id}`, token)).body.major).toBe('Biology');
    expect((await post(site, '/auth/recommendSchool', {}, token)).status).toBe(200);
  }),
];
