import { useNavigate } from 'react-router';
import { forgotPassword } from '../../../contract/accounts.ts';
import { accountAddress, PAGES } from '../../../contract/pages.ts';
import { failureText, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { readField } from '../../form.ts';
import { useNextAddress } from '../../next-address.ts';
import { notify } from '../../notices.ts';
import { NewPasswordFields, newPasswordProblems, readNewPassword } from '../../shared/accounts/password-fields.tsx';
import { AccountCard, EmailField, emailProblems, SignedInNote, useClearedForm } from './account-card.tsx';
import { setPendingPassword } from './pending-password.ts';

const LINKS = [
  { label: 'Back to login', to: PAGES.login.path },
  { label: 'Create an account', to: PAGES.signup.path },
];

export function Component() {
  const navigate = useNavigate();
  const next = useNextAddress();
  const form = useClearedForm({
    read: (form) => ({ email: readField(form, 'email').trim(), ...readNewPassword(form) }),
    check: (values) => [...emailProblems(values.email), ...newPasswordProblems(values)],
    send: ({ email }) => request(forgotPassword, { body: { email } }),
    onSuccess: (_answer, { email, newPassword }) => {
      notify.success('Check your email or spam folder to change your password');
      setPendingPassword(newPassword);
      void navigate(accountAddress(PAGES.change, { email, next }));
    },
    failureOf: (error) => failureText(error, 'Forgot failed: '),
  });

  return (
    <AccountCard
      heading="Forgot password"
      intro="Choose a new password. We mail you a passcode to confirm it."
      form={form}
      links={LINKS}
      before={<SignedInNote />}
    >
      <EmailField problem={form.problem} />
      <NewPasswordFields problem={form.problem} />
      <Button type="submit" isPending={form.isPending}>
        Send Passcode
      </Button>
    </AccountCard>
  );
}
