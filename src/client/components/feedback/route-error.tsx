import { useQuery } from '@tanstack/react-query';
import { Navigate, useLocation, useNavigation, useRevalidator, useRouteError } from 'react-router';
import { CallError, findRedirect, queryClient } from '../../api.ts';
import { isFirstPage } from '../../navigation.ts';
import { isNotFound } from '../../page.ts';
import { Loading } from '../list/list-states.tsx';
import { NotFoundMessage, PageProblem } from './page-problem.tsx';

/** Shown when a page could not be loaded or rendered. */
export function RouteError() {
  const error = useRouteError();
  const revalidator = useRevalidator();
  if (isNotFound(error)) return <Gone />;

  async function retry() {
    // The browser requests a module that failed to load again only after a reload.
    if (!(error instanceof CallError)) return location.reload();
    queryClient.removeQueries({ predicate: ({ state }) => state.status === 'error' });
    await revalidator.revalidate();
  }

  return <PageProblem error={error} onRetry={() => void retry()} isRetrying={revalidator.state === 'loading'} />;
}

/** Shown for an id that nothing has. If a school or entry with this id was merged, it leads to the other one's page. */
function Gone() {
  const location = useLocation();
  const { pathname, search, hash } = location;
  const address = pathname + search;
  const { data: successor, isPending } = useQuery({
    queryKey: ['findRedirect', address],
    queryFn: () => findRedirect(address),
    retry: false,
  });
  // The redirect must not overtake a link that the visitor has followed meanwhile.
  const isLeaving = useNavigation().state !== 'idle';
  if (successor && !isLeaving) return <Navigate to={successor + hash} replace />;
  // For the first page of the document, the server has already looked for a redirect: the document shows the message.
  if ((isPending || successor) && !isFirstPage(location)) return <Loading />;
  return <NotFoundMessage />;
}
