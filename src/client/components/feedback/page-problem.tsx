import type { ReactNode } from 'react';
import { PAGES } from '../../../contract/pages.ts';
import { isWorthAnotherTry, refusalHeading } from '../../../contract/refusal-texts.ts';
import { CallError, problemText } from '../../api.ts';
import { passFocusOn } from '../../navigation.ts';
import { Button } from '../form/button.tsx';
import { Night } from '../layout/dusk.tsx';
import { PageHeading } from '../layout/page-heading.tsx';
import { PageLink } from '../layout/page-link.tsx';
import { Windows } from '../school/windows.tsx';

interface PageMessageProps {
  heading: string;
  text: string;
  /** What the reader can do. */
  children: ReactNode;
}

/** The message in place of a page. */
function PageMessage({ heading, text, children }: PageMessageProps) {
  return (
    <Night>
      <div className="page my-auto grid grid-cols-[minmax(0,1fr)] gap-8 pt-12 pb-20">
        <Windows lights={[]} className="w-full max-w-md" />
        <PageHeading title={heading} subtitle={text}>
          {heading}
        </PageHeading>
        <p className="flex flex-wrap gap-3">{children}</p>
      </div>
    </Night>
  );
}

interface PageProblemProps {
  error: unknown;
  onRetry: () => void;
  isRetrying: boolean;
}

function headingOf(error: unknown): string {
  if (error instanceof CallError && error.answered) return refusalHeading(error.status);
  const isUnanswered = error instanceof CallError && error.status === 0;
  return isUnanswered || navigator.onLine === false ? 'No connection' : 'Something went wrong';
}

/** Shown instead of a page that could not be loaded: what happened and what the reader can do. */
export function PageProblem({ error, onRetry, isRetrying }: PageProblemProps) {
  const refusal = error instanceof CallError && error.answered ? error : undefined;
  const offersRetry = !refusal || isWorthAnotherTry(refusal.status);
  return (
    <PageMessage heading={headingOf(error)} text={problemText(error)}>
      {offersRetry && (
        <Button ref={passFocusOn} onClick={onRetry} isPending={isRetrying}>
          Retry
        </Button>
      )}
      <PageLink to={PAGES.dashboard.path} className={`button ${offersRetry ? 'button-quiet' : 'button-primary'}`}>
        Find a school
      </PageLink>
    </PageMessage>
  );
}

/** Shown instead of a page when nothing has the id in its address. */
export function NotFoundMessage() {
  return (
    <PageMessage heading="Page not found" text="It may have been removed, or the address is mistyped.">
      <PageLink to={PAGES.dashboard.path} className="button button-primary">
        Find a school
      </PageLink>
      <PageLink to={PAGES.allSchools.path} className="button button-quiet">
        See all schools
      </PageLink>
    </PageMessage>
  );
}
