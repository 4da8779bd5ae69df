import { useRevalidator, useRouteError } from 'react-router';
import { CallError, queryClient } from '../api.ts';
import { isNotFound } from '../page.ts';
import { NotFoundMessage } from './not-found-message.tsx';
import { PageProblem } from './page-problem.tsx';

/** Shown when a page could not be loaded or rendered. */
export function RouteError() {
  const error = useRouteError();
  const revalidator = useRevalidator();
  if (isNotFound(error)) return <NotFoundMessage />;

  async function retry() {
    // The browser requests a module that failed to load again only after a reload.
    if (!(error instanceof CallError)) return location.reload();
    queryClient.removeQueries({ predicate: ({ state }) => state.status === 'error' });
    await revalidator.revalidate();
  }

  return <PageProblem error={error} onRetry={() => void retry()} isRetrying={revalidator.state === 'loading'} />;
}
