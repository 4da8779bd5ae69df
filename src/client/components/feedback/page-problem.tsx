import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Navigate, useLocation, useNavigation, useRevalidator, useRouteError } from 'react-router';
import { PAGES } from '../../../contract/pages.ts';
import { isWorthAnotherTry, refusalHeading } from '../../../contract/refusal-texts.ts';
import { CallError, findRedirect, isExplained, problemText, queryClient } from '../../api.ts';
import { isFirstPage, passFocusOn } from '../../navigation.ts';
import { isNotFound } from '../../page.ts';
import { Button } from '../form/button.tsx';
import { Night } from '../layout/dusk.tsx';
import { PageHeading } from '../layout/page-heading.tsx';
import { PageLink } from '../layout/page-link.tsx';
import { Loading } from '../list/list-states.tsx';
import { Windows } from '../school/windows.tsx';

/** The message in place of a page, with links or buttons for the next step. */
function PageMessage({ heading, text, children }: { heading: string; text: string; children: ReactNode }) {
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
  /** The read that failed. */
  query: { error: unknown; isFetching: boolean; refetch: () => unknown };
}

function headingOf(error: unknown): string {
  if (isExplained(error)) return refusalHeading(error.status);
  const isUnanswered = error instanceof CallError && error.status === 0;
  return isUnanswered || navigator.onLine === false ? 'No connection' : 'Something went wrong';
}

/** Shown instead of a page that could not be loaded: what happened and what the reader can do. */
export function PageProblem({ query: { error, isFetching, refetch } }: PageProblemProps) {
  const refusal = isExplained(error) ? error : undefined;
  const offersRetry = !refusal || isWorthAnotherTry(refusal.status);
  return (
    <PageMessage heading={headingOf(error)} text={problemText(error)}>
      {offersRetry && (
        <Button ref={passFocusOn} onClick={() => void refetch()} isPending={isFetching}>
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

/** Shown when a page could not be loaded or rendered. */
export function RouteError() {
  const error = useRouteError();
  const revalidator = useRevalidator();
  if (isNotFound(error)) return <Gone />;

  async function refetch() {
    // After a module has failed to load, the browser requests it again only after a reload.
    if (!(error instanceof CallError)) return location.reload();
    queryClient.removeQueries({ predicate: ({ state }) => state.status === 'error' });
    await revalidator.revalidate();
  }

  return <PageProblem query={{ error, isFetching: revalidator.state === 'loading', refetch }} />;
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
