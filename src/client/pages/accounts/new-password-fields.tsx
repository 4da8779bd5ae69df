import type { ReactNode } from 'react';
import { PASSWORD_MIN } from '../../../contract/accounts.ts';
import { PasswordField } from '../../components/password-field.tsx';
import { readField, type useFormProblem } from './form-problem.ts';

type FormProblem = ReturnType<typeof useFormProblem>;

/** The two fields for a new password, on /forgot and, when none came along, on /change. */
export function NewPasswordFields({ problem }: { problem: FormProblem }) {
  return (
    <>
      <PasswordField
        label="New Password"
        name="newPassword"
        autoComplete="new-password"
        required
        help={`At least ${PASSWORD_MIN} characters; 15 or more is better.`}
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

/** Whether the password was typed again as it is; else the problem is told. */
export function isConfirmed(password: string, form: HTMLFormElement, problem: FormProblem): boolean {
  if (password === readField(form, 'confirmation')) return true;
  problem.report('Passwords do not match please try again', 'confirmation');
  return false;
}

/** The new password when both fields agree and it is long enough; else the problem is told and nothing is answered. */
export function readNewPassword(form: HTMLFormElement, problem: FormProblem): string | undefined {
  const password = readField(form, 'newPassword');
  if (!isConfirmed(password, form, problem)) return undefined;
  if (password.length < PASSWORD_MIN) {
    problem.report(`The password must have at least ${PASSWORD_MIN} characters.`, 'newPassword');
    return undefined;
  }
  return password;
}
