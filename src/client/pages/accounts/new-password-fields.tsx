import type { ReactNode } from 'react';
import { passwordProblem } from '../../../contract/accounts.ts';
import { NEW_PASSWORD_HELP, PasswordField } from '../../components/form/password-field.tsx';
import { type FormProblem, type Problem, readField } from '../../form-problem.ts';

/** The two fields for a new password, on /forgot, and on /change when it knows no password. */
export function NewPasswordFields({ problem }: { problem: FormProblem }) {
  return (
    <>
      <PasswordField
        label="New Password"
        name="newPassword"
        autoComplete="new-password"
        required
        help={NEW_PASSWORD_HELP}
        error={problem.of('newPassword')}
      />
      <ConfirmationField problem={problem} />
    </>
  );
}

/** The field in which a new password is typed again. */
export function ConfirmationField({ problem, help }: { problem: FormProblem; help?: ReactNode }) {
  return (
    <PasswordField
      label="Confirm New Password"
      name="confirmation"
      autoComplete="new-password"
      required
      help={help}
      error={problem.of('confirmation')}
    />
  );
}

/** What is typed into the fields for a new password. */
export function readNewPassword(form: HTMLFormElement) {
  return { newPassword: readField(form, 'newPassword'), confirmation: readField(form, 'confirmation') };
}

/** The error for a password that was not repeated exactly. */
export function confirmationProblems(password: string, confirmation: string): Problem[] {
  if (password === confirmation) return [];
  return [{ text: 'Passwords do not match please try again', field: 'confirmation', isAlert: true }];
}

export function newPasswordProblems({ newPassword, confirmation }: ReturnType<typeof readNewPassword>): Problem[] {
  const text = passwordProblem(newPassword);
  return [...(text ? [{ text, field: 'newPassword' }] : []), ...confirmationProblems(newPassword, confirmation)];
}
