import type { FormEventHandler, ReactNode } from 'react';
import { Card } from '../../components/card.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { PageLink } from '../../components/page-link.tsx';

interface AccountCardProps {
  heading: string;
  /** One line on what this is for. */
  intro: ReactNode;
  onSubmit: FormEventHandler<HTMLFormElement>;
  links?: readonly { label: string; to: string }[];
  children: ReactNode;
}

/** The look all account pages share: one form on one card in the middle. */
export function AccountCard({ heading, intro, onSubmit, links = [], children }: AccountCardProps) {
  return (
    <div className="page grid grow place-content-center grid-cols-[minmax(0,28rem)] py-10">
      <Card>
        <PageHeading subtitle={<span className="text-base">{intro}</span>}>{heading}</PageHeading>
        {/* Our own words replace the browser's. */}
        <form method="post" noValidate onSubmit={onSubmit} className="mt-6 grid gap-5">
          {children}
        </form>
        {links.length > 0 && (
          <ul className="mt-6 flex flex-wrap gap-x-6 border-t border-line pt-3">
            {links.map(({ label, to }) => (
              <li key={to}>
                <PageLink to={to} className="text-link inline-flex min-h-touch items-center">
                  {label}
                </PageLink>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
}
