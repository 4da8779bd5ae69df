import type { ReactNode } from 'react';
import { PASSWORD_MIN, passwordProblem } from '../../../contract/accounts.ts';
import { PasswordField } from '../../components/form/password-field.tsx';
import { type FormProblem, type Problem, readField } from '../../form.ts';

interface NewPasswordFieldsProps {
  problem: FormProblem;
  /** The name of the password in the call. */
  name?: 'password' | 'newPassword';
  label?: string;
}

/** The two fields for a new password. */
export function NewPasswordFields({ problem, name = 'newPassword', label = 'New Password' }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField
        label={label}
        {...problem.field(name)}
        autoComplete="new-password"
        required
        help={`At least ${PASSWORD_MIN} characters; 15 or more is better.`}
      />
      <ConfirmationField label={`Confirm ${label}`} problem={problem} />
    </>
  );
}

interface ConfirmationFieldProps {
  label: string;
  problem: FormProblem;
  help?: ReactNode;
}

/** The field in which a new password is typed again. */
export function ConfirmationField({ label, problem, help }: ConfirmationFieldProps) {
  return (
    <PasswordField label={label} {...problem.field('confirmation')} autoComplete="new-password" required help={help} />
  );
}

/** What is typed into the fields for a new password. */
export function readNewPassword(form: HTMLFormElement, name: 'password' | 'newPassword' = 'newPassword') {
  return { newPassword: readField(form, name), confirmation: readField(form, 'confirmation') };
}

/** The error for a password that was not repeated exactly, as account pages show it: as a notice too (spec §5). */
const MISMATCH: Problem = { text: 'Passwords do not match please try again', isAlert: true };

/** @param mismatch the error for a password that was not repeated exactly */
export function confirmationProblems(password: string, confirmation: string, mismatch = MISMATCH): Problem[] {
  return password === confirmation ? [] : [{ ...mismatch, field: 'confirmation' }];
}

export function newPasswordProblems(
  { newPassword, confirmation }: ReturnType<typeof readNewPassword>,
  name = 'newPassword',
  mismatch = MISMATCH,
): Problem[] {
  const text = passwordProblem(newPassword);
  return [...(text ? [{ text, field: name }] : []), ...confirmationProblems(newPassword, confirmation, mismatch)];
}
