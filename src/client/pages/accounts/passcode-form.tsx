import { type ReactNode, useEffect, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import {
  INVALID_PASSCODE,
  PASSCODE_LENGTH,
  PASSCODE_LIFE_MINUTES,
  type resend,
  type resendForgot,
} from '../../../contract/accounts.ts';
import { isAcceptedEmail } from '../../../contract/email.ts';
import { accountAddress, PAGES } from '../../../contract/pages.ts';
import { failureText, refusedField, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { Field } from '../../components/form/fields.tsx';
import { type FormProblem, type Problem, readField, useForm } from '../../form.ts';
import { useGuardedMutation } from '../../guard.ts';
import { useNextAddress } from '../../next-address.ts';
import { newestNoticeId, notify } from '../../notices.ts';
import { AccountCard, EmailField, emailProblems } from './account-card.tsx';

// The location state that account pages pass to each other outlives a reload. Browsers write it to disk: it never
// contains a password or a code.

/** For /login. */
export interface LoginLocationState {
  /** The mailbox that was just verified. */
  readonly email: string;
}

/** For /verify. */
export interface VerifyLocationState {
  /** Whether no mailed passcode is valid any more. */
  readonly needsResend: boolean;
}

/** Fields that a page adds to the passcode. */
export interface ExtraFields {
  fields: (problem: FormProblem) => ReactNode;
  problems: (form: HTMLFormElement) => Problem[];
}

interface PasscodeFormProps {
  heading: string;
  /** @param email the mailbox in the address, if there is one */
  intro: (email: string | undefined, isSentAgain: boolean) => ReactNode;
  /** The name of the passcode's field in the call. */
  codeName: 'verificationCode' | 'forgotCode';
  resendCall: typeof resend | typeof resendForgot;
  extra?: ExtraFields;
  links: readonly { label: string; to: string }[];
  /** Sends the passcode. @throws what the call throws */
  send: (email: string, code: string, form: HTMLFormElement) => Promise<unknown>;
}

/** The email in the address, if it is valid: anybody can write an address, and the page shows it as ours. */
function useEmailFromAddress(): string | undefined {
  const [search] = useSearchParams();
  const email = search.get('email') ?? '';
  return isAcceptedEmail(email) ? email : undefined;
}

function useResend(call: PasscodeFormProps['resendCall'], problem: FormProblem) {
  const { mutate, isPending, isSuccess } = useGuardedMutation({
    mutationFn: (email: string) => request<typeof resend | typeof resendForgot>(call, { query: { email } }),
  });

  function sendAgain(email: string, form: HTMLFormElement) {
    const found = emailProblems(email);
    if (found.length > 0) return problem.show(found, form);
    problem.clear();
    mutate(email, {
      onSuccess: () => {
        const since = newestNoticeId();
        notify.success('Resend Successful Check Email');
        problem.replaceNotices(since);
      },
      onError: (error) =>
        problem.show([{ text: failureText(error, 'Resend failed: '), field: refusedField(error), isRefusal: true }]),
    });
  }

  return { sendAgain, isPending, isSent: isSuccess };
}

/** The form that /verify and /change share: it takes a passcode, or sends a new one. */
export function PasscodeForm(props: PasscodeFormProps) {
  const { heading, intro, codeName, resendCall, extra, links, send } = props;
  const navigate = useNavigate();
  const next = useNextAddress();
  const knownEmail = useEmailFromAddress();
  const passcode = useRef<HTMLInputElement>(null);
  // The passcode is what is left to enter, so its field takes the focus, but not from somebody who typed before the code
  // was there: the rest of a new password would be shown in it.
  useEffect(() => {
    if (knownEmail !== undefined && !document.activeElement?.matches('input')) passcode.current?.focus();
  }, [knownEmail]);
  const readEmail = (form: HTMLFormElement) => knownEmail ?? readField(form, 'email').trim();
  const form = useForm({
    // Codes are often pasted with a space in the middle.
    read: (form) => ({ email: readEmail(form), code: readField(form, codeName).replaceAll(/\s/g, ''), form }),
    check: ({ email, code, form }) => [
      ...emailProblems(email),
      ...(code ? [] : [{ text: INVALID_PASSCODE, field: codeName }]),
      ...(extra?.problems(form) ?? []),
    ],
    send: ({ email, code, form }) => send(email, code, form),
    onSuccess: (_answer, { email }) => {
      notify.success('Verification Successful');
      void navigate(accountAddress(PAGES.login, { next }), { state: { email } satisfies LoginLocationState });
    },
    failureOf: (error, mayBeDone) => {
      const text = failureText(error, 'Verification failed: ');
      return mayBeDone && refusedField(error) === codeName ? `${text} If an earlier try worked, you can log in.` : text;
    },
    onFailure: (_error, _values, form) => {
      const field = form.elements.namedItem(codeName);
      if (field instanceof HTMLInputElement) field.value = '';
    },
  });
  const resending = useResend(resendCall, form.problem);

  return (
    <AccountCard heading={heading} intro={intro(knownEmail, resending.isSent)} form={form} links={links}>
      {knownEmail === undefined && <EmailField problem={form.problem} />}
      <Field
        ref={passcode}
        label="Passcode"
        {...form.problem.field(codeName)}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        help={`${PASSCODE_LENGTH} digits, good for ${PASSCODE_LIFE_MINUTES} minutes. Look in your spam folder too.`}
      />
      {extra?.fields(form.problem)}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" className="grow" isPending={form.isPending}>
          Verify
        </Button>
        <Button
          variant="quiet"
          isPending={resending.isPending}
          onClick={({ currentTarget: { form } }) => form && resending.sendAgain(readEmail(form), form)}
        >
          Resend
        </Button>
      </div>
    </AccountCard>
  );
}
