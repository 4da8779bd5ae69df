import { useLayoutEffect, useState } from 'react';
import { resendForgot, resetPassword } from '../../../contract/accounts.ts';
import { PAGES } from '../../../contract/pages.ts';
import { refusedField, request } from '../../api.ts';
import { readField } from '../../form.ts';
import {
  confirmationProblems,
  NewPasswordFields,
  newPasswordProblems,
  PasswordField,
  readNewPassword,
} from '../../shared/accounts/password-fields.tsx';
import { type ExtraFields, PasscodeForm } from './passcode-form.tsx';
import { clearPendingPassword, readPendingPassword } from './pending-password.ts';

/** The fields for a new password, if none was chosen before. */
const NEW_PASSWORD: ExtraFields = {
  fields: (problem) => <NewPasswordFields problem={problem} />,
  problems: (form) => newPasswordProblems(readNewPassword(form)),
};

/**
 * The field in which the user repeats the password of the link: whoever sent the link may have chosen it, in order to
 * know it after the reset.
 */
const confirmationFields = (password: string): ExtraFields => ({
  fields: (problem) => (
    <PasswordField
      label="Confirm New Password"
      {...problem.field('confirmation')}
      autoComplete="new-password"
      help="The link you opened contains a new password. Type it to confirm that it is yours. If you did not choose it, stop here: somebody else knows it."
    />
  ),
  problems: (form) => confirmationProblems(password, readField(form, 'confirmation')),
});

const LINKS = [
  { label: 'Use another email or password', to: PAGES.forgot.path },
  { label: 'Back to login', to: PAGES.login.path },
];

export function Component() {
  const [pending, setPending] = useState<ReturnType<typeof readPendingPassword>>();
  // After the first rendering, which must match the server's. The password is dropped when the page is left.
  useLayoutEffect(() => {
    setPending((known) => known ?? readPendingPassword());
    return clearPendingPassword;
  }, []);

  async function reset(email: string, forgotCode: string, form: HTMLFormElement): Promise<void> {
    const newPassword = pending?.password ?? readField(form, 'newPassword');
    try {
      await request(resetPassword, { body: { email, forgotCode, newPassword } });
    } catch (error) {
      // The server refused the password. It can be typed again only on this page.
      if (refusedField(error) === 'newPassword') setPending(undefined);
      throw error;
    }
  }

  function chooseExtra(): ExtraFields | undefined {
    if (pending === undefined) return NEW_PASSWORD;
    return pending.isConfirmed ? undefined : confirmationFields(pending.password);
  }

  return (
    <PasscodeForm
      heading="Change your password"
      intro={(email) =>
        email === undefined ? (
          'Enter the passcode from your mail.'
        ) : (
          <span className="wrap-anywhere">If {email} has an account here, a passcode is on its way.</span>
        )
      }
      codeName="forgotCode"
      resendCall={resendForgot}
      extra={chooseExtra()}
      links={LINKS}
      send={reset}
    />
  );
}
