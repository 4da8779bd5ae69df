import { changePassword, passwordProblem } from '../../../contract/accounts.ts';
import { actionFailureText, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { FormError } from '../../components/form/fields.tsx';
import { NEW_PASSWORD_HELP, PasswordField } from '../../components/form/password-field.tsx';
import { useForm } from '../../form.ts';
import { type Problem, readField } from '../../form-problem.ts';
import { notify } from '../../notices.ts';

const MISMATCH = 'Passwords do not match. Please check and try again.';

function readPasswords(form: HTMLFormElement) {
  return {
    currentPassword: readField(form, 'currentPassword'),
    newPassword: readField(form, 'newPassword'),
    confirmPassword: readField(form, 'confirmPassword'),
  };
}

function checkPasswords(typed: ReturnType<typeof readPasswords>): Problem[] {
  const newProblem = passwordProblem(typed.newPassword);
  return [
    ...(typed.currentPassword ? [] : [{ text: 'Please enter your current password.', field: 'currentPassword' }]),
    ...(newProblem ? [{ text: newProblem, field: 'newPassword' }] : []),
    ...(typed.newPassword === typed.confirmPassword ? [] : [{ text: MISMATCH, field: 'confirmPassword' }]),
  ];
}

/** The form for another password, without a passcode. */
export function PasswordForm() {
  const { problem, onSubmit, isPending } = useForm({
    read: readPasswords,
    check: checkPasswords,
    send: ({ currentPassword, newPassword }) => request(changePassword, { body: { currentPassword, newPassword } }),
    onSuccess: (_answer, _values, form) => {
      notify.success('Password changed!');
      form.reset();
    },
    failureOf: (error) => actionFailureText(error, 'The password was not changed.'),
  });

  return (
    <form method="post" noValidate onSubmit={onSubmit} className="grid gap-4">
      <h2 className="text-lg">Change your password</h2>
      <FormError>{problem.of()}</FormError>
      <PasswordField
        label="Current Password"
        name="currentPassword"
        autoComplete="current-password"
        error={problem.of('currentPassword')}
        required
      />
      <PasswordField
        label="New Password"
        name="newPassword"
        autoComplete="new-password"
        help={NEW_PASSWORD_HELP}
        error={problem.of('newPassword')}
        required
      />
      <PasswordField
        label="Confirm New Password"
        name="confirmPassword"
        autoComplete="new-password"
        error={problem.of('confirmPassword')}
        required
      />
      <div className="grid justify-items-start gap-2">
        <Button type="submit" isPending={isPending}>
          Change password
        </Button>
        <p className="text-sm text-ink-soft">You stay logged in here and are logged out everywhere else.</p>
      </div>
    </form>
  );
}
