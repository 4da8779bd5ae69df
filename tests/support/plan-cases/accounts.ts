import { expect } from 'vitest';
import { sweepExpired } from '../../../src/server/accounts/expiry.ts';
import { call } from '../call.ts';
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
  caseOf(
    "one's own account: another name and email, its data, the end of it",
    ['former_names', 'email_changes', 'sessions', 'reports', 'appeals', 'helpful_marks', 'saved_schools', 'proposals'],
    async (site) => {
      const { id, token } = await createUser(site.product);
      const username = unique('renamed');
      const email = `${username}@example.org`;
      const change = { token, body: { password: PASSWORD, username, email } };
      expect((await call(site.product, 'PUT /auth/updateMyAccount', change)).status).toBe(200);
      const code = await readPasscode(site.product, email);
      expect((await post(site, '/auth/confirmMyEmail', { code }, token)).status).toBe(204);
      await signIn(site.product, id);
      const [{ id: session }] = (await get(site, '/auth/getMySessions', token)).body;
      expect((await call(site.product, `DELETE /auth/endMySession/${session}`, { token })).status).toBe(204);
      const left = await signIn(site.product, id);
      expect((await get(site, '/auth/downloadMyData', left)).status).toBe(200);
      const body = { password: PASSWORD, reviews: 'delete' };
      expect((await post(site, '/auth/deleteMyAccount', body, left)).status).toBe(204);
      await sweepExpired(site.product.app.database, Date.now());
    },
  ),
  caseOf('profile and recommendation', ['profiles', 'schools', 'entries', 'reviews'], async (site) => {
    const { id, token } = site.user;
    await post(site, '/auth/postProfile', { userId: id, major: 'Biology' }, token);
    expect((await get(site, `/auth/getProfile/${id}`, token)).body.major).toBe('Biology');
    expect((await post(site, '/auth/recommendSchool', {}, token)).status).toBe(200);
  }),
];
