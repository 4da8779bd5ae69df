import * as calls from '../../contract/accounts.ts';
import type { Serve } from '../http/serve/serve.ts';
import type { AccountTools } from './account-tools.ts';
import { logIn } from './login.ts';
import { requestPasscode } from './passcode-requests.ts';
import { changePassword, resetPassword } from './password-changes.ts';
import { deleteSession, deleteSessions } from './session-queries.ts';
import { signUp, verifyAccount } from './signup.ts';

/** Serves the calls of spec §7, "Authentication", and those of sessions. */
export function serveAccounts(serve: Serve, tools: AccountTools): void {
  serve(calls.login, ({ body, address, log }) => logIn(tools, body, address, log));
  serve(calls.signup, ({ body, address }) => signUp(tools, body, address));
  serve(calls.verify, async ({ body, address }) => {
    await verifyAccount(tools, body.email, body.verificationCode, address);
    return { message: 'The account is verified.' };
  });
  serve(calls.resend, ({ query, address }) => requestPasscode(tools, query.email, 'verify', address));
  serve(calls.forgotPassword, ({ body, address }) => requestPasscode(tools, body.email, 'reset', address));
  serve(calls.resendForgot, ({ query, address }) => requestPasscode(tools, query.email, 'reset', address));
  serve(calls.resetPassword, async ({ body, address, log }) => {
    await resetPassword(tools, body, address);
    log.info({ event: 'password-reset' }, 'password reset by mail');
    return { message: 'The password is changed.' };
  });
  serve.write(calls.logout, ({ db, caller }) => deleteSession(db, caller.sessionId));
  serve.write(calls.logoutAll, ({ db, caller }) => deleteSessions(db, caller.userId));
  serve(calls.changePassword, async ({ body, caller, address }) => {
    await changePassword(tools, caller, body, address);
    return { message: 'The password is changed.' };
  });
}
