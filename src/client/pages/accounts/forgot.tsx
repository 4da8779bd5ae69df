import { useNavigate } from 'react-router';
import { forgotPassword } from '../../../contract/accounts.ts';
import { PAGES, passcodeAddress } from '../../../contract/pages.ts';
import { failureText, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { useForm } from '../../form.ts';
import { readField } from '../../form-problem.ts';
import { notify } from '../../notices.ts';
import { AccountCard } from './account-card.tsx';
import { EmailField, emailProblems } from './email-field.tsx';
import { NewPasswordFields, newPasswordProblems, readNewPassword } from './new-password-fields.tsx';
import { setPendingPassword } from './pending-password.ts';

const LINKS = [
  { label: 'Back to login', to: PAGES.login.path },
  { label: 'Create an account', to: PAGES.signup.path },
];

export function Component() {
  const navigate = useNavigate();
  const { problem, onSubmit, isPending } = useForm({
    read: (form) => ({ email: readField(form, 'email').trim(), ...readNewPassword(form) }),
    check: (values) => [...emailProblems(values.email), ...newPasswordProblems(values)],
    send: ({ email }) => request(forgotPassword, { body: { email } }),
    onSuccess: (_answer, { email, newPassword }) => {
      notify.success('Check your email or spam folder to change your password');
      setPendingPassword(newPassword);
      void navigate(passcodeAddress(PAGES.change, email));
    },
    failureOf: (error) => failureText(error, 'Forgot failed: '),
    onFailure: (_error, _values, form) => form.reset(),
  });

  return (
    <AccountCard
      heading="Forgot password"
      intro="Choose a new password. We mail you a passcode to confirm it."
      problem={problem}
      onSubmit={onSubmit}
      links={LINKS}
    >
      <EmailField problem={problem} />
      <NewPasswordFields problem={problem} />
      <Button type="submit" isPending={isPending}>
        Send Passcode
      </Button>
    </AccountCard>
  );
}
