import { useRevalidator, useRouteError } from 'react-router';
import { CallError, queryClient } from '../api.ts';
import { isNotFound } from '../page.ts';
import { NotFoundMessage } from './not-found-message.tsx';
import { PageProblem } from './page-problem.tsx';

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

  return <PageProblem error={error} onRetry={() => void retry()} isRetrying={revalidator.state === 'loading'} />;
}
