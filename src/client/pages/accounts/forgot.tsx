import type { FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { forgotPassword } from '../../../contract/accounts.ts';
import { PAGES, passcodeAddress } from '../../../contract/pages.ts';
import { request } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { readField, useFormProblem } from '../../form-problem.ts';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { AccountCard } from './account-card.tsx';
import { EmailField, emailProblems } from './email-field.tsx';
import { NewPasswordFields, newPasswordProblems } from './new-password-fields.tsx';
import { holdPassword } from './pending-password.ts';

const LINKS = [
  { label: 'Back to login', to: PAGES.login.path },
  { label: 'Create an account', to: PAGES.signup.path },
];

export function Component() {
  const navigate = useNavigate();
  const problem = useFormProblem();
  const send = useGuardedMutation({ mutationFn: (email: string) => request(forgotPassword, { body: { email } }) });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const email = readField(form, 'email').trim();
    const newPassword = readField(form, 'newPassword');
    const found = [...emailProblems(email), ...newPasswordProblems(form)];
    if (found.length > 0) return problem.tell(found, form);
    problem.clear();
    send.mutate(email, {
      onSuccess: () => {
        notify.success('Check your email or spam folder to change your password');
        holdPassword(newPassword);
        void navigate(passcodeAddress(PAGES.change, email));
      },
      onError: (error) => {
        form.reset();
        problem.fail(error, 'Forgot failed: ', form);
      },
    });
  }

  return (
    <AccountCard
      heading="Forgot password"
      intro="Choose a new password. We mail you a passcode to confirm it."
      problem={problem}
      onSubmit={submit}
      links={LINKS}
    >
      <EmailField problem={problem} />
      <NewPasswordFields problem={problem} />
      <Button type="submit" isPending={send.isPending}>
        Send Passcode
      </Button>
    </AccountCard>
  );
}
