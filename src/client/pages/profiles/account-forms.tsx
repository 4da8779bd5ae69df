import { useEffect, useRef, useState } from 'react';
import {
  changePassword,
  INVALID_USERNAME,
  PASSCODE_LENGTH,
  PASSCODE_LIFE_MINUTES,
  USERNAME_MAX,
} from '../../../contract/accounts.ts';
import type { BodyOf } from '../../../contract/call.ts';
import { INVALID_EMAIL, isAcceptedEmail } from '../../../contract/email.ts';
import {
  confirmMyEmail,
  getMySessions,
  NEW_EMAIL_HOURS,
  RENAME_DAYS,
  updateMyAccount,
} from '../../../contract/my-account.ts';
import { isUsername } from '../../../contract/usernames.ts';
import { actionFailureText, invalidateReads, queryClient, refusedField, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { Field, FormError } from '../../components/form/fields.tsx';
import { missingPasswordProblems, type Problem, readField, useForm } from '../../form.ts';
import { notify } from '../../notices.ts';
import { readSession, renewSession, useSession } from '../../session.ts';
import {
  NewPasswordFields,
  newPasswordProblems,
  PasswordField,
  readNewPassword,
} from '../../shared/accounts/password-fields.tsx';

/** The typed values. Undefined: the username, if it is the present one, and the email, if it is empty. */
function readChanges(form: HTMLFormElement) {
  const username = readField(form, 'username').trim().normalize('NFC');
  return {
    username: username === readSession()?.username ? undefined : username,
    email: readField(form, 'email').trim() || undefined,
    password: readField(form, 'password'),
  };
}

function checkChanges({ username, email, password }: ReturnType<typeof readChanges>): Problem[] {
  if (username === undefined && email === undefined) {
    return [{ text: 'Enter another username, a new email, or both.', field: 'username' }];
  }
  return [
    ...(username === undefined || isUsername(username) ? [] : [{ text: INVALID_USERNAME, field: 'username' }]),
    ...(email === undefined || isAcceptedEmail(email) ? [] : [{ text: INVALID_EMAIL, field: 'email' }]),
    ...missingPasswordProblems(password),
  ];
}

/** The form for another username and another email, and the form for the passcode of the new email. */
export function NameAndEmail() {
  const username = useSession()?.username;
  const [pendingEmail, setPendingEmail] = useState<string>();
  const [isConfirming, setConfirming] = useState(false);
  const summary = useRef<HTMLElement>(null);
  const { problem, onSubmit, isPending } = useForm({
    read: readChanges,
    check: checkChanges,
    send: (body) => request(updateMyAccount, { body }),
    onSent: (answer) => {
      setPendingEmail(answer.pendingEmail);
      if (answer.pendingEmail !== undefined) setConfirming(true);
      if (answer.token === undefined) return;
      renewSession(answer.token);
      // Signed reviews show the new name.
      void queryClient.invalidateQueries();
    },
    onSuccess: (answer, { email }, form) => {
      if (answer.token !== undefined) notify.success('Username changed!');
      if (email !== undefined) notify.success('Check the mailbox or its spam folder for the passcode.');
      form.reset();
    },
    failureOf: (error) => actionFailureText(error, 'Nothing was changed.'),
  });

  function closeConfirmation(): void {
    setPendingEmail(undefined);
    setConfirming(false);
    summary.current?.focus();
  }

  return (
    <div className="grid gap-4">
      <form method="post" noValidate onSubmit={onSubmit} className="grid gap-4">
        <h2 className="text-lg">Name and email</h2>
        <FormError>{problem.errorOf()}</FormError>
        <Field
          // After a change a new field takes its place, with the new name in it.
          key={username}
          label="Username"
          {...problem.field('username')}
          autoComplete="nickname"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={USERNAME_MAX}
          defaultValue={username}
          help={`Can be changed once in ${RENAME_DAYS} days. Your signed reviews show the new name at once. For a year nobody else gets the old one.`}
        />
        <Field
          label="New email"
          {...problem.field('email')}
          type="email"
          inputMode="email"
          autoComplete="email"
          help="Leave it empty to keep yours. The new one counts once you enter the passcode that we mail there. Your present mailbox is told."
        />
        <PasswordField label="Your password" {...problem.field('password')} autoComplete="current-password" />
        <Button type="submit" className="justify-self-start" isPending={isPending}>
          Save changes
        </Button>
      </form>
      <details open={isConfirming} onToggle={({ currentTarget }) => setConfirming(currentTarget.open)}>
        <summary ref={summary} className="inline-flex min-h-touch items-center text-link">
          Enter the passcode for a new email
        </summary>
        <EmailPasscodeForm email={pendingEmail} onConfirmed={closeConfirmation} />
      </details>
    </div>
  );
}

interface EmailPasscodeFormProps {
  /** The new email; undefined if it was entered before the page was loaded. */
  email: string | undefined;
  onConfirmed: () => void;
}

function EmailPasscodeForm({ email, onConfirmed }: EmailPasscodeFormProps) {
  const passcode = useRef<HTMLInputElement>(null);
  // The passcode is the one thing to enter after a new email, so its field takes the focus.
  useEffect(() => {
    if (email !== undefined) passcode.current?.focus();
  }, [email]);
  const { problem, onSubmit, isPending } = useForm({
    // Codes are often pasted with a space in the middle.
    read: (form) => readField(form, 'code').replaceAll(/\s/g, ''),
    check: (code) => (code ? [] : [{ text: 'Please enter the passcode.', field: 'code' }]),
    send: (code) => request(confirmMyEmail, { body: { code } }),
    onSent: onConfirmed,
    onSuccess: (_answer, _code, form) => {
      notify.success('Email changed! You are logged out everywhere else.');
      form.reset();
      void invalidateReads(getMySessions);
    },
    failureOf: (error) => actionFailureText(error, 'The email was not changed.'),
  });
  return (
    <form method="post" noValidate onSubmit={onSubmit} className="grid gap-4">
      <p className="wrap-anywhere">
        <span>
          {email === undefined
            ? `A new email waits ${NEW_EMAIL_HOURS} hours for its passcode.`
            : `We mail a passcode to ${email}, unless it is somebody's already.`}
        </span>
        <span> Once you enter it you are logged out everywhere else.</span>
      </p>
      <FormError>{problem.errorOf()}</FormError>
      <Field
        ref={passcode}
        label="Passcode"
        {...problem.field('code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        help={`${PASSCODE_LENGTH} digits, good for ${PASSCODE_LIFE_MINUTES} minutes. For another one, save the new email again.`}
      />
      <Button type="submit" className="justify-self-start" isPending={isPending}>
        Confirm email
      </Button>
    </form>
  );
}

/**
 * Changes the password. When it is refused after a request whose answer was lost, that one may have changed it already:
 * then the new one is the current one.
 */
async function sendPassword(body: BodyOf<typeof changePassword>, mayBeDone: boolean): Promise<void> {
  try {
    await request(changePassword, { body });
  } catch (error) {
    if (!mayBeDone || refusedField(error) !== 'currentPassword') throw error;
    await request(changePassword, { body: { ...body, currentPassword: body.newPassword } }).catch(() => {
      throw error;
    });
  }
}

const MISSING: Problem = { text: 'Please enter your current password.', field: 'currentPassword' };
const MISMATCH: Problem = { text: 'Passwords do not match. Please check and try again.' };

/** The form for another password, without a passcode. */
export function PasswordForm() {
  const { problem, onSubmit, isPending } = useForm({
    read: (form) => ({ currentPassword: readField(form, 'currentPassword'), ...readNewPassword(form) }),
    check: ({ currentPassword, ...passwords }) => [
      ...(currentPassword ? [] : [MISSING]),
      ...newPasswordProblems(passwords, 'newPassword', MISMATCH),
    ],
    send: ({ currentPassword, newPassword }, mayBeDone) => sendPassword({ currentPassword, newPassword }, mayBeDone),
    onSuccess: (_answer, _values, form) => {
      notify.success('Password changed!');
      form.reset();
    },
    failureOf: (error) => actionFailureText(error, 'The password was not changed.'),
  });

  return (
    <form method="post" noValidate onSubmit={onSubmit} className="grid gap-4">
      <h2 className="text-lg">Change your password</h2>
      <FormError>{problem.errorOf()}</FormError>
      <PasswordField label="Current Password" {...problem.field('currentPassword')} autoComplete="current-password" />
      <NewPasswordFields problem={problem} />
      <div className="grid justify-items-start gap-2">
        <Button type="submit" isPending={isPending}>
          Change password
        </Button>
        <p className="text-sm text-ink-soft">You stay logged in here and are logged out everywhere else.</p>
      </div>
    </form>
  );
}
