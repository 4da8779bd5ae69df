import { PAGES } from '../../../contract/pages.ts';
import { isWorthAnotherTry, refusalHeading } from '../../../contract/refusal-texts.ts';
import { CallError, problemText } from '../../api.ts';
import { Button } from '../form/button.tsx';
import { PageHeading } from '../layout/page-heading.tsx';
import { PageLink } from '../layout/page-link.tsx';

interface PageProblemProps {
  error: unknown;
  onRetry: () => void;
  isRetrying: boolean;
}

/** Shown instead of a page that could not be loaded: what happened and what the reader can do. */
export function PageProblem({ error, onRetry, isRetrying }: PageProblemProps) {
  const refusal = error instanceof CallError && error.answered ? error : undefined;
  const heading = refusal ? refusalHeading(refusal.status) : 'Something went wrong';
  const offersRetry = !refusal || isWorthAnotherTry(refusal.status);
  return (
    <div className="page py-16">
      <PageHeading title={heading} subtitle={problemText(error)}>
        {heading}
      </PageHeading>
      <p className="mt-8 flex flex-wrap gap-3">
        {offersRetry && (
          <Button onClick={onRetry} isPending={isRetrying}>
            Retry
          </Button>
        )}
        <PageLink to={PAGES.dashboard.path} className={`button ${offersRetry ? 'button-quiet' : 'button-primary'}`}>
          Find a school
        </PageLink>
      </p>
    </div>
  );
}
