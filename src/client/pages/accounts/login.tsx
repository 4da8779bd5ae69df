import { useNavigate } from 'react-router';
import { login } from '../../../contract/accounts.ts';
import { PAGES, passcodeAddress } from '../../../contract/pages.ts';
import { BLOCKED } from '../../../contract/users.ts';
import { CallError, failureText, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { PasswordField } from '../../components/form/password-field.tsx';
import { useForm } from '../../form.ts';
import { readField } from '../../form-problem.ts';
import { startSession } from '../../session.ts';
import { readReturnReason, takeReturnPath } from '../../shared/accounts/return-path.ts';
import { AccountCard } from './account-card.tsx';
import { EmailField, emailProblems } from './email-field.tsx';

const LINKS = [
  { label: 'Create an account', to: PAGES.signup.path },
  { label: 'Forgot password?', to: PAGES.forgot.path },
];

export function Component() {
  const navigate = useNavigate();
  const { problem, onSubmit, isPending } = useForm({
    read: (form) => ({ email: readField(form, 'email').trim(), password: readField(form, 'password') }),
    check: ({ email, password }) => [
      ...emailProblems(email),
      ...(password ? [] : [{ text: 'Please enter your password.', field: 'password' }]),
    ],
    send: (body) => request(login, { body }),
    onSuccess: ({ token }) => {
      const session = startSession(token);
      void navigate((session && takeReturnPath(session.userId)) ?? PAGES.dashboard.path);
    },
    failureOf: (error) => failureText(error, 'Login failed: '),
    onFailure: (error, { email }, form) => {
      form.reset();
      // The credentials are right, but the account is not verified yet: the next step is the passcode page.
      if (error instanceof CallError && error.status === 403 && error.code !== BLOCKED)
        void navigate(passcodeAddress(PAGES.verify, email));
    },
  });

  return (
    <AccountCard
      heading="Login"
      intro={readReturnReason() ?? 'Welcome back.'}
      problem={problem}
      onSubmit={onSubmit}
      links={LINKS}
    >
      <EmailField problem={problem} autoComplete="username" />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        error={problem.of('password')}
      />
      <Button type="submit" isPending={isPending}>
        Login
      </Button>
    </AccountCard>
  );
}
