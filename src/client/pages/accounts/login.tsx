import type { FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { login } from '../../../contract/accounts.ts';
import { PAGES, passcodeAddress } from '../../../contract/pages.ts';
import { BLOCKED } from '../../../contract/users.ts';
import { CallError, request } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { type Problem, readField, useFormProblem } from '../../form-problem.ts';
import { useGuardedMutation } from '../../guard.ts';
import { startSession } from '../../session.ts';
import { AccountCard } from './account-card.tsx';
import { EmailField, emailProblems } from './email-field.tsx';
import { readReturnReason, takeReturnPlace } from './return-place.ts';

const LINKS = [
  { label: 'Create an account', to: PAGES.signup.path },
  { label: 'Forgot password?', to: PAGES.forgot.path },
];

export function Component() {
  const navigate = useNavigate();
  const problem = useFormProblem();
  const send = useGuardedMutation({
    mutationFn: (body: { email: string; password: string }) => request(login, { body }),
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const body = { email: readField(form, 'email').trim(), password: readField(form, 'password') };
    const found: Problem[] = [
      ...emailProblems(body.email),
      ...(body.password ? [] : [{ text: 'Please enter your password.', field: 'password' }]),
    ];
    if (found.length > 0) return problem.tell(found, form);
    problem.clear();
    send.mutate(body, {
      onSuccess: ({ token }) => {
        const session = startSession(token);
        void navigate((session && takeReturnPlace(session.userId)) ?? PAGES.dashboard.path);
      },
      onError: (error) => {
        form.reset();
        problem.fail(error, 'Login failed: ', form);
        // The credentials are right, but the account is not verified yet: the next step is the passcode page.
        if (error instanceof CallError && error.status === 403 && error.code !== BLOCKED)
          void navigate(passcodeAddress(PAGES.verify, body.email));
      },
    });
  }

  return (
    <AccountCard
      heading="Login"
      intro={readReturnReason() ?? 'Welcome back.'}
      problem={problem}
      onSubmit={submit}
      links={LINKS}
    >
      <EmailField problem={problem} />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        error={problem.of('password')}
      />
      <Button type="submit" isPending={send.isPending}>
        Login
      </Button>
    </AccountCard>
  );
}
