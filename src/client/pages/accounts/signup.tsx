import type { FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { PASSWORD_MIN, signup, USERNAME_MAX, USERNAME_MIN } from '../../../contract/accounts.ts';
import { INVALID_EMAIL, isTypedEmail } from '../../../contract/email.ts';
import { PAGES, passcodeAddress } from '../../../contract/pages.ts';
import { request } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { AccountCard } from './account-card.tsx';
import { readField, useFormProblem } from './form-problem.ts';

const LINKS = [
  { label: 'I have an account', to: PAGES.login.path },
  { label: 'Forgot password?', to: PAGES.forgot.path },
];

interface Signup {
  username: string;
  email: string;
  password: string;
}

export function Component() {
  const navigate = useNavigate();
  const problem = useFormProblem();
  const send = useGuardedMutation({ mutationFn: (body: Signup) => request(signup, { body }) });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const body = {
      username: readField(form, 'username').trim(),
      email: readField(form, 'email').trim(),
      password: readField(form, 'password'),
    };
    if (!isTypedEmail(body.email)) return problem.report(INVALID_EMAIL, 'email');
    if (body.password !== readField(form, 'confirmation')) {
      return problem.report('Passwords do not match. Please check and try again.', 'confirmation');
    }
    problem.clear();
    send.mutate(body, {
      onSuccess: () => {
        notify.success('Check your email or spam folder to verify your account.');
        void navigate(passcodeAddress(PAGES.verify, body.email));
      },
      onError: (error) => {
        problem.fail(error, 'Signup failed: ');
        form.reset();
      },
    });
  }

  return (
    <AccountCard
      heading="Sign Up"
      intro="Write reviews, keep a profile, get recommendations."
      onSubmit={submit}
      links={LINKS}
    >
      <Field
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        help={`${USERNAME_MIN} to ${USERNAME_MAX} letters, digits, “_”, “-” or “.”. Shown with your reviews unless you post anonymously.`}
        error={problem.of('username')}
      />
      <Field
        label="Email"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        required
        error={problem.of('email')}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="new-password"
        required
        help={`At least ${PASSWORD_MIN} characters; 15 or more is better.`}
        error={problem.of('password')}
      />
      <PasswordField
        label="Confirm Password"
        name="confirmation"
        autoComplete="new-password"
        required
        error={problem.of('confirmation')}
      />
      <Button type="submit" isPending={send.isPending}>
        Sign Up
      </Button>
    </AccountCard>
  );
}
