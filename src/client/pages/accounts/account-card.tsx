import { type MouseEvent, type ReactNode, useState } from 'react';
import { INVALID_EMAIL, looksLikeEmail } from '../../../contract/email.ts';
import { PAGES } from '../../../contract/pages.ts';
import { Button } from '../../components/form/button.tsx';
import { Field, FormError } from '../../components/form/fields.tsx';
import { Night, Roofs } from '../../components/layout/dusk.tsx';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { PageLink, StandaloneLink } from '../../components/layout/page-link.tsx';
import { type FormOptions, type FormProblem, type Problem, useForm } from '../../form.ts';
import { focusPage } from '../../navigation.ts';
import { useNextAddress, withNextAddress } from '../../next-address.ts';
import { useCurrentPage } from '../../page.ts';
import { useSession } from '../../session.ts';
import { logOut } from '../../shared/accounts/log-out.ts';
import { siteName } from '../../site.ts';

interface AccountCardProps {
  heading: string;
  /** One line about the purpose of the form. */
  intro: ReactNode;
  form: Pick<ReturnType<typeof useForm>, 'problem' | 'onSubmit'> & { readonly fillAgain?: ReactNode };
  links: readonly { label: string; to: string }[];
  /** Above the form. */
  before?: ReactNode;
  /** Below the form. */
  after?: ReactNode;
  children: ReactNode;
}

/** The layout of all account pages: one form on a card in the middle. */
export function AccountCard(props: AccountCardProps) {
  const { heading, intro, form, links, before, after, children } = props;
  const next = useNextAddress();
  const hasHeader = !useCurrentPage()?.hidesHeader;
  return (
    <Night>
      <div className="page grid grow place-content-center grid-cols-[minmax(0,28rem)] py-10">
        <div className="card scheme-light-dark bg-surface p-5 text-ink shadow-lg sm:p-6">
          {/* The page has no header. A user who comes from a mail should see whose page asks for the passcode. */}
          {!hasHeader && (
            <PageLink
              to={PAGES.dashboard.path}
              className="mb-4 inline-flex min-h-touch items-center gap-3 font-serif text-lg font-semibold"
            >
              <img src="/favicon.svg" alt="" width="28" height="28" />
              {siteName()}
            </PageLink>
          )}
          <PageHeading subtitle={<span className="block text-base">{intro}</span>}>{heading}</PageHeading>
          {before}
          {/* `noValidate`: our own messages replace the browser's. */}
          <form method="post" noValidate onSubmit={form.onSubmit} className="mt-6 grid gap-5">
            <FormError>{form.problem.errorOf()}</FormError>
            {form.fillAgain}
            {children}
          </form>
          {after}
          <ul className="mt-6 flex flex-wrap gap-x-6 border-t border-line pt-3">
            {links.map(({ label, to }) => (
              <li key={to}>
                <StandaloneLink to={withNextAddress(to, next)}>{label}</StandaloneLink>
              </li>
            ))}
          </ul>
        </div>
      </div>
      {!hasHeader && (
        <div className="-mb-7 [--color-night:var(--color-night-deep)]">
          <Roofs look="night" />
        </div>
      )}
    </Night>
  );
}

/** Tells somebody that they are signed in already, above a form for people who are not. */
export function SignedInNote() {
  const session = useSession();
  const next = useNextAddress();
  if (!session) return null;

  function leave(): void {
    logOut();
    // The button is gone with the note.
    focusPage();
  }

  return (
    <div className="mt-5 grid gap-3 rounded-sm border border-line bg-sunken p-3">
      <p className="wrap-anywhere">
        You are signed in as <bdi>{session.username}</bdi>.
      </p>
      <div className="flex flex-wrap gap-3">
        <PageLink to={next ?? PAGES.dashboard.path} className="button button-primary">
          Continue
        </PageLink>
        <Button variant="quiet" onClick={leave}>
          Log out
        </Button>
      </div>
    </div>
  );
}

interface EmailFieldProps {
  problem: FormProblem;
  /** The value that a browser or password manager fills in. */
  autoComplete?: 'email' | 'username';
}

/** The field for an email address. */
export function EmailField({ problem, autoComplete = 'email' }: EmailFieldProps) {
  return (
    <Field
      label="Email"
      {...problem.field('email')}
      type="email"
      inputMode="email"
      autoComplete={autoComplete}
      required
    />
  );
}

/** The error of an email address. @param isValid a stricter check, for creating an account */
export function emailProblems(email: string, isValid: (email: string) => boolean = looksLikeEmail): Problem[] {
  return isValid(email) ? [] : [{ text: INVALID_EMAIL, field: 'email', isAlert: true }];
}

const PASSWORDS = 'input[autocomplete$="-password"]';

/**
 * A form that is cleared when it is refused (spec §8). A button brings back what was typed, except the passwords. The
 * values are kept in memory only.
 */
export function useClearedForm<Values, Answer>(options: FormOptions<Values, Answer>) {
  const [lost, setLost] = useState<ReadonlyMap<HTMLInputElement, string>>();
  const form = useForm({
    ...options,
    onFailure: (error, values, element) => {
      const inputs = [...element.querySelectorAll<HTMLInputElement>(`input:not(${PASSWORDS})`)];
      setLost(new Map(inputs.map((input) => [input, input.value])));
      element.reset();
      options.onFailure?.(error, values, element);
    },
  });

  function fill({ currentTarget }: MouseEvent<HTMLButtonElement>): void {
    for (const [input, value] of lost ?? []) input.value = value;
    currentTarget.form?.querySelector<HTMLElement>(PASSWORDS)?.focus();
    setLost(undefined);
  }

  return {
    ...form,
    fillAgain: lost && (
      <div>
        <Button variant="quiet" onClick={fill}>
          Fill in again
        </Button>
      </div>
    ),
  };
}
