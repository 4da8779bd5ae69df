import * as calls from '../../contract/accounts.ts';
import type { Serve } from '../http/serve/serve.ts';
import type { AccountTools } from './account-tools.ts';
import { logIn } from './login.ts';
import { requestPasscode } from './passcode-requests.ts';
import { changePassword, resetPassword } from './password-changes.ts';
import { deleteSession, deleteSessions } from './session-queries.ts';
import { signUp, verifyAccount } from './signup.ts';

/** The same sentence whether the account exists or not. */
const PASSCODE_SENT = { message: 'If this account can use one, a passcode is on its way to its mailbox.' };

/** Serves the calls of spec §7, "Authentication", and those of sessions. */
export function serveAccounts(serve: Serve, tools: AccountTools): void {
  serve(calls.login, ({ body, address, log }) => logIn(tools, body, address, log));
  serve(calls.signup, ({ body, address }) => signUp(tools, body, address));
  serve(calls.verify, async ({ body, address }) => {
    await verifyAccount(tools, body.email, body.verificationCode, address);
    return { message: 'The account is verified.' };
  });
  serve(calls.resend, async ({ query, address }) => {
    await requestPasscode(tools, query.email, 'verify', address);
    return PASSCODE_SENT;
  });
  serve(calls.forgotPassword, async ({ body, address }) => {
    await requestPasscode(tools, body.email, 'reset', address);
    return PASSCODE_SENT;
  });
  serve(calls.resendForgot, async ({ query, address }) => {
    await requestPasscode(tools, query.email, 'reset', address);
    return PASSCODE_SENT;
  });
  serve(calls.resetPassword, async ({ body, address, log }) => {
    await resetPassword(tools, body, address);
    log.info({ event: 'password-reset' }, 'password reset by mail');
    return { message: 'The password is changed.' };
  });
  serve.write(calls.logout, async ({ db, caller }) => {
    await deleteSession(db, caller.sessionId);
    return {};
  });
  serve.write(calls.logoutAll, async ({ db, caller }) => {
    await deleteSessions(db, caller.userId);
    return {};
  });
  serve(calls.changePassword, async ({ body, caller, address }) => {
    await changePassword(tools, caller, body, address);
    return { message: 'The password is changed.' };
  });
}
