import type { FormEventHandler, ReactNode } from 'react';
import { PAGES } from '../../../contract/pages.ts';
import { FormError } from '../../components/form/fields.tsx';
import { Night, Roofs } from '../../components/layout/dusk.tsx';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { PageLink, StandaloneLink } from '../../components/layout/page-link.tsx';
import type { FormProblem } from '../../form-problem.ts';
import { useNext, withNext } from '../../next.ts';
import { useCurrentPage } from '../../page.ts';
import { siteName } from '../../site.ts';

interface AccountCardProps {
  heading: string;
  /** One line about the purpose of the form. */
  intro: ReactNode;
  problem: FormProblem;
  onSubmit: FormEventHandler<HTMLFormElement>;
  links?: readonly { label: string; to: string }[];
  /** Above the form. */
  before?: ReactNode;
  /** Below the form. */
  after?: ReactNode;
  children: ReactNode;
}

/** The layout of all account pages: one form on a card in the middle. */
export function AccountCard(props: AccountCardProps) {
  const { heading, intro, problem, onSubmit, links = [], before, after, children } = props;
  const next = useNext();
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
          <form method="post" noValidate onSubmit={onSubmit} className="mt-6 grid gap-5">
            <FormError>{problem.errorOf()}</FormError>
            {children}
          </form>
          {after}
          {links.length > 0 && (
            <ul className="mt-6 flex flex-wrap gap-x-6 border-t border-line pt-3">
              {links.map(({ label, to }) => (
                <li key={to}>
                  <StandaloneLink to={withNext(to, next)}>{label}</StandaloneLink>
                </li>
              ))}
            </ul>
          )}
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
