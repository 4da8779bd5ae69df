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
        error={problem.of('password')}
      />
      <PasswordField
        label="Confirm New Password"
        name="confirmation"
        autoComplete="new-password"
        required
        error={problem.of('confirmation')}
      />
    </>
  );
}

/** The new password when both fields agree and it is long enough; else the problem is told and nothing is answered. */
export function readNewPassword(form: HTMLFormElement, problem: FormProblem): string | undefined {
  const password = readField(form, 'newPassword');
  if (password !== readField(form, 'confirmation')) {
    problem.report('Passwords do not match please try again', 'confirmation');
    return undefined;
  }
  if (password.length < PASSWORD_MIN) {
    problem.report(`The password must have at least ${PASSWORD_MIN} characters.`, 'password');
    return undefined;
  }
  return password;
}
