import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { login } from '../../../contract/accounts.ts';
import { accountAddress, PAGES } from '../../../contract/pages.ts';
import { BLOCKED_CODE } from '../../../contract/users.ts';
import { CallError, failureText, request } from '../../api.ts';
import { resumeDraft, useLoginReason } from '../../begun.ts';
import { Button } from '../../components/form/button.tsx';
import { missingPasswordProblems, readField } from '../../form.ts';
import { useNextAddress } from '../../next-address.ts';
import { readSession, startSession } from '../../session.ts';
import { PasswordField } from '../../shared/accounts/password-fields.tsx';
import { AccountCard, EmailField, emailProblems, SignedInNote, useClearedForm } from './account-card.tsx';
import type { LoginLocationState, VerifyLocationState } from './passcode-form.tsx';

const LINKS = [
  { label: 'Create an account', to: PAGES.signup.path },
  { label: 'Forgot password?', to: PAGES.forgot.path },
];

export function Component() {
  const navigate = useNavigate();
  const next = useNextAddress();
  const reason = useLoginReason(next);
  const passwordField = useArrivingEmail();
  const form = useClearedForm({
    read: (form) => ({ email: readField(form, 'email').trim(), password: readField(form, 'password') }),
    check: ({ email, password }) => [...emailProblems(email), ...missingPasswordProblems(password)],
    send: async (body) => {
      const answer = await request(login, { body });
      // Such as the login page of a hotel's network.
      if (!answer?.token) throw new Error('The answer cannot be read.');
      return answer;
    },
    onSuccess: ({ token }) => {
      startSession(token, 'login');
      resumeDraft(readSession()?.userId ?? 0, next);
      void navigate(next ?? PAGES.dashboard.path);
    },
    failureOf: (error) => failureText(error, 'Login failed: '),
    onFailure: (error, { email }) => {
      // The credentials are right, but the account is not verified yet: the next step is the passcode page.
      if (error instanceof CallError && error.status === 403 && error.code !== BLOCKED_CODE) {
        const state: VerifyLocationState = { needsResend: error.hasPasscode === false };
        void navigate(accountAddress(PAGES.verify, { email, next }), { state });
      }
    },
  });

  return (
    <AccountCard
      heading="Login"
      intro={reason ?? 'Welcome back.'}
      form={form}
      links={LINKS}
      // The note is not shown in the moment between the answer and the next page.
      before={!form.answer && <SignedInNote />}
      after={<CannotLogIn />}
    >
      <EmailField problem={form.problem} autoComplete="username" />
      <PasswordField
        ref={passwordField}
        label="Password"
        {...form.problem.field('password')}
        autoComplete="current-password"
      />
      <Button type="submit" isPending={form.isPending}>
        Login
      </Button>
    </AccountCard>
  );
}

/**
 * Fills in the email of somebody who comes from /verify or /change, after the rendering: the server knows no email.
 * @returns the ref of the password's field, which then takes the focus
 */
function useArrivingEmail() {
  const state: LoginLocationState | null = useLocation().state;
  const email = state?.email;
  const passwordField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const field = passwordField.current?.form?.elements.namedItem('email');
    // A reload keeps the state of the history: by then somebody may have typed.
    if (!email || !(field instanceof HTMLInputElement) || field.value) return;
    field.value = email;
    passwordField.current?.focus();
  }, [email]);
  return passwordField;
}

/** Help that everyone can read: the answer to a login must not tell whether there is such an account. */
function CannotLogIn() {
  return (
    <details className="mt-4">
      <summary className="inline-flex min-h-touch items-center text-link">Cannot log in?</summary>
      <p className="text-ink-soft">Just verified? We may have mailed you a passcode to set a password.</p>
    </details>
  );
}
