import type { FormEvent, ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { PASSCODE_LENGTH, type resend, type resendForgot } from '../../../contract/accounts.ts';
import { INVALID_EMAIL, isEmail, isTypedEmail } from '../../../contract/email.ts';
import { PAGES } from '../../../contract/pages.ts';
import { request } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { AccountCard } from './account-card.tsx';
import { readField, useFormProblem } from './form-problem.ts';

type FormProblem = ReturnType<typeof useFormProblem>;

/** Fields that a page needs beside the passcode. */
export interface ExtraFields {
  fields: (problem: FormProblem) => ReactNode;
  /** Whether they are filled in well; it has told of the problem when they are not. */
  read: (form: HTMLFormElement, problem: FormProblem) => boolean;
}

const LINKS = [{ label: 'Back to login', to: PAGES.login.path }];

interface PasscodeFormProps {
  heading: string;
  submitLabel: string;
  /** The passcode's name in the call. */
  codeName: 'verificationCode' | 'forgotCode';
  /** Asks for another passcode. */
  resendCall: typeof resend | typeof resendForgot;
  extra?: ExtraFields;
  /** The ways on from here. */
  links?: readonly { label: string; to: string }[];
  /** Checks the passcode; throws what the call throws. */
  send: (email: string, code: string, form: HTMLFormElement) => Promise<unknown>;
  onDone: () => void;
}

/** The mailbox named in the address, if it can be one: anybody can write an address, and the page repeats it as ours. */
function useEmailFromAddress(): string | undefined {
  const [search] = useSearchParams();
  const email = search.get('email') ?? '';
  return isEmail(email) ? email : undefined;
}

/** The form that /verify and /change share: a passcode for a mailbox, and a way to get another. */
export function PasscodeForm({
  heading,
  submitLabel,
  codeName,
  resendCall,
  extra,
  links = LINKS,
  send,
  onDone,
}: PasscodeFormProps) {
  const known = useEmailFromAddress();
  const problem = useFormProblem();
  const check = useGuardedMutation({
    mutationFn: ({ email, code, form }: { email: string; code: string; form: HTMLFormElement }) =>
      send(email, code, form),
  });
  const again = useGuardedMutation({
    mutationFn: (email: string) => request<typeof resend | typeof resendForgot>(resendCall, { query: { email } }),
  });

  function readEmail(form: HTMLFormElement): string | undefined {
    const email = known ?? readField(form, 'email').trim();
    if (isTypedEmail(email)) return email;
    problem.report(INVALID_EMAIL, 'email');
    return undefined;
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const email = readEmail(form);
    if (email === undefined || (extra && !extra.read(form, problem))) return;
    problem.clear();
    // Codes are often pasted with a space in the middle.
    const code = readField(form, codeName).replaceAll(/\s/g, '');
    check.mutate(
      { email, code, form },
      {
        onSuccess: onDone,
        onError: (error) => {
          problem.fail(error, 'Verification failed: ');
          const field = form.elements.namedItem(codeName);
          if (field instanceof HTMLInputElement) field.value = '';
        },
      },
    );
  }

  function sendAgain(form: HTMLFormElement | null): void {
    const email = form ? readEmail(form) : undefined;
    if (email === undefined) return;
    again.mutate(email, {
      onSuccess: () => notify.success('Resend Successful Check Email'),
      onError: (error) => problem.fail(error, 'Resend failed: '),
    });
  }

  return (
    <AccountCard
      heading={heading}
      intro={
        known === undefined ? (
          'Enter the passcode from your mail.'
        ) : (
          <span className="wrap-anywhere">If {known} has an account here, a passcode is on its way.</span>
        )
      }
      onSubmit={submit}
      links={links}
    >
      {known === undefined && (
        <Field
          label="Email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          required
          error={problem.of('email')}
        />
      )}
      <Field
        label="Passcode"
        name={codeName}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        help={`${PASSCODE_LENGTH} digits; look in your spam folder too.`}
        error={problem.of(codeName)}
      />
      {extra?.fields(problem)}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" className="grow" isPending={check.isPending}>
          {submitLabel}
        </Button>
        <Button variant="quiet" isPending={again.isPending} onClick={(event) => sendAgain(event.currentTarget.form)}>
          Resend
        </Button>
      </div>
    </AccountCard>
  );
}
