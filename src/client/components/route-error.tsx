import { useRevalidator, useRouteError } from 'react-router';
import { CallError, queryClient } from '../api.ts';
import { isNotFound } from '../page.ts';
import { Button } from './button.tsx';
import { NotFoundMessage } from './not-found-message.tsx';
import { PageHeading } from './page-heading.tsx';

/** What a page shows when it could not be loaded or drawn. */
export function RouteError() {
  const error = useRouteError();
  const revalidator = useRevalidator();
  if (isNotFound(error)) return <NotFoundMessage />;

  async function retry() {
    // Code that did not arrive is only asked for again by a new document.
    if (!(error instanceof CallError)) return location.reload();
    queryClient.removeQueries({ predicate: ({ state }) => state.status === 'error' });
    await revalidator.revalidate();
  }

  return (
    <div className="page py-16">
      <PageHeading
        title="Something went wrong"
        subtitle={
          error instanceof CallError && error.answered
            ? error.message
            : 'This page could not be shown. The connection may have been lost; trying again often helps.'
        }
      >
        Something went wrong
      </PageHeading>
      <Button className="mt-8" onClick={() => void retry()} isPending={revalidator.state === 'loading'}>
        Retry
      </Button>
    </div>
  );
}
