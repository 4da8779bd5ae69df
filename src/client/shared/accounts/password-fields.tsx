import { type ComponentProps, useState } from 'react';
import { PASSWORD_MIN, passwordProblem } from '../../../contract/accounts.ts';
import { FieldFrame, type FieldTexts } from '../../components/form/fields.tsx';
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
        help={`At least ${PASSWORD_MIN} characters; 15 or more is better.`}
      />
      <PasswordField label={`Confirm ${label}`} {...problem.field('confirmation')} autoComplete="new-password" />
    </>
  );
}

/** The values of the fields for a new password. */
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

interface PasswordFieldProps extends Omit<ComponentProps<'input'>, 'id' | 'type'>, FieldTexts {
  name: string;
  autoComplete: 'current-password' | 'new-password';
}

/** A password field with a button that shows the characters. */
export function PasswordField({ label, help, error, className, ...input }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <FieldFrame label={label} help={help} error={error} className={className}>
      {(attributes) => (
        <span className="relative">
          <input
            autoCapitalize="none"
            spellCheck={false}
            required
            {...input}
            {...attributes}
            type={isShown ? 'text' : 'password'}
            className="input pr-18"
          />
          {/* The accessible name of the button is only "Show": the label belongs to the field. */}
          <button
            type="button"
            className="text-link absolute inset-y-0 right-0 min-w-16 px-3 text-sm font-semibold"
            aria-pressed={isShown}
            aria-controls={attributes.id}
            onClick={() => setShown(!isShown)}
          >
            Show
          </button>
        </span>
      )}
    </FieldFrame>
  );
}
