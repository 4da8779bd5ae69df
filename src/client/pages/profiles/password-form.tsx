import { changePassword } from '../../../contract/accounts.ts';
import { actionFailureText, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { FormError } from '../../components/form/fields.tsx';
import { PasswordField } from '../../components/form/password-field.tsx';
import { useForm } from '../../form.ts';
import { type Problem, readField } from '../../form-problem.ts';
import { notify } from '../../notices.ts';
import { NewPasswordFields, newPasswordProblems, readNewPassword } from '../../shared/accounts/new-password-fields.tsx';

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
      <FormError>{problem.errorOf()}</FormError>
      <PasswordField
        label="Current Password"
        {...problem.field('currentPassword')}
        autoComplete="current-password"
        required
      />
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
