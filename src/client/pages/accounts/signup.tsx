import { useNavigate } from 'react-router';
import { INVALID_USERNAME, signup, USERNAME_MAX, USERNAME_MIN } from '../../../contract/accounts.ts';
import { isAcceptedEmail } from '../../../contract/email.ts';
import { accountAddress, PAGES } from '../../../contract/pages.ts';
import { isUsername } from '../../../contract/usernames.ts';
import { failureText, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { Field } from '../../components/form/fields.tsx';
import { type Problem, readField } from '../../form.ts';
import { useNextAddress } from '../../next-address.ts';
import { notify } from '../../notices.ts';
import { NewPasswordFields, newPasswordProblems, readNewPassword } from '../../shared/accounts/password-fields.tsx';
import { AccountCard, EmailField, emailProblems, SignedInNote, useClearedForm } from './account-card.tsx';

const LINKS = [
  { label: 'I have an account', to: PAGES.login.path },
  { label: 'Forgot password?', to: PAGES.forgot.path },
];

const USERNAME_RULE = `${USERNAME_MIN} to ${USERNAME_MAX} letters, digits, “_”, “-” or “.”. `;

const MISMATCH: Problem = { text: 'Passwords do not match. Please check and try again.', isAlert: true };

function readSignup(form: HTMLFormElement) {
  return {
    username: readField(form, 'username').trim().normalize('NFC'),
    email: readField(form, 'email').trim(),
    ...readNewPassword(form, 'password'),
  };
}

/** The errors that the form finds before the server does, whose refusal clears the form (spec §8), in field order. */
function checkSignup({ username, email, ...passwords }: ReturnType<typeof readSignup>): Problem[] {
  return [
    ...(isUsername(username) ? [] : [{ text: INVALID_USERNAME, field: 'username' }]),
    ...emailProblems(email, isAcceptedEmail),
    ...newPasswordProblems(passwords, 'password', MISMATCH),
  ];
}

export function Component() {
  const navigate = useNavigate();
  const next = useNextAddress();
  const form = useClearedForm({
    read: readSignup,
    check: checkSignup,
    send: ({ username, email, newPassword: password }) => request(signup, { body: { username, email, password } }),
    onSuccess: (_answer, { email }) => {
      notify.success('Check your email or spam folder to verify your account.');
      void navigate(accountAddress(PAGES.verify, { email, next }));
    },
    failureOf: (error) => failureText(error, 'Signup failed: '),
  });

  return (
    <AccountCard
      heading="Sign Up"
      intro="Write reviews, keep a profile, get recommendations."
      form={form}
      links={LINKS}
      before={<SignedInNote />}
    >
      <Field
        label="Username"
        {...form.problem.field('username')}
        autoComplete="nickname"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={USERNAME_MAX}
        required
        // The help leaves out the rule while the error states it.
        help={`${form.problem.errorOf('username') === INVALID_USERNAME ? '' : USERNAME_RULE}Shown with your reviews unless you post anonymously.`}
      />
      <EmailField problem={form.problem} />
      <NewPasswordFields problem={form.problem} name="password" label="Password" />
      <Button type="submit" isPending={form.isPending}>
        Sign Up
      </Button>
    </AccountCard>
  );
}
