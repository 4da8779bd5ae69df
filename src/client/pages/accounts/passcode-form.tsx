import type { FormEvent, ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import {
  INVALID_PASSCODE,
  PASSCODE_LENGTH,
  PASSCODE_LIFE_MINUTES,
  type resend,
  type resendForgot,
} from '../../../contract/accounts.ts';
import { isEmail } from '../../../contract/email.ts';
import { request } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { type FormProblem, type Problem, readField, useFormProblem } from '../../form-problem.ts';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { AccountCard } from './account-card.tsx';
import { EmailField, emailProblems } from './email-field.tsx';

/** Fields that a page adds to the passcode. */
export interface ExtraFields {
  fields: (problem: FormProblem) => ReactNode;
  problems: (form: HTMLFormElement) => Problem[];
}

interface PasscodeFormProps {
  heading: string;
  submitLabel: string;
  /** The name of the passcode's field in the call. */
  codeName: 'verificationCode' | 'forgotCode';
  /** The call that sends another passcode. */
  resendCall: typeof resend | typeof resendForgot;
  extra?: ExtraFields;
  links: readonly { label: string; to: string }[];
  /** Sends the passcode. @throws what the call throws */
  send: (email: string, code: string, form: HTMLFormElement) => Promise<unknown>;
  onDone: () => void;
}

/** The email in the address, if it is valid: anybody can write an address, and the page shows it as ours. */
function useEmailFromAddress(): string | undefined {
  const [search] = useSearchParams();
  const email = search.get('email') ?? '';
  return isEmail(email) ? email : undefined;
}

/** The form that /verify and /change share: it takes a passcode, or sends a new one. */
export function PasscodeForm({
  heading,
  submitLabel,
  codeName,
  resendCall,
  extra,
  links,
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

  const readEmail = (form: HTMLFormElement) => known ?? readField(form, 'email').trim();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const email = readEmail(form);
    // Codes are often pasted with a space in the middle.
    const code = readField(form, codeName).replaceAll(/\s/g, '');
    const found = [
      ...emailProblems(email),
      ...(code ? [] : [{ text: INVALID_PASSCODE, field: codeName }]),
      ...(extra?.problems(form) ?? []),
    ];
    if (found.length > 0) return problem.tell(found, form);
    problem.clear();
    check.mutate(
      { email, code, form },
      {
        onSuccess: onDone,
        onError: (error) => {
          const field = form.elements.namedItem(codeName);
          if (field instanceof HTMLInputElement) field.value = '';
          problem.fail(error, 'Verification failed: ', form);
        },
      },
    );
  }

  function sendAgain(form: HTMLFormElement): void {
    const email = readEmail(form);
    const found = emailProblems(email);
    if (found.length > 0) {
      problem.tell(found, form);
      return;
    }
    problem.clear();
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
      problem={problem}
      onSubmit={submit}
      links={links}
    >
      {known === undefined && <EmailField problem={problem} />}
      <Field
        label="Passcode"
        name={codeName}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        help={`${PASSCODE_LENGTH} digits, good for ${PASSCODE_LIFE_MINUTES} minutes. Look in your spam folder too.`}
        error={problem.of(codeName)}
      />
      {extra?.fields(problem)}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" className="grow" isPending={check.isPending}>
          {submitLabel}
        </Button>
        <Button
          variant="quiet"
          isPending={again.isPending}
          onClick={({ currentTarget }) => currentTarget.form && sendAgain(currentTarget.form)}
        >
          Resend
        </Button>
      </div>
    </AccountCard>
  );
}
