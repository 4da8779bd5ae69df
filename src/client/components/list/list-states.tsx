import type { ComponentProps, ReactNode } from 'react';
import { problemText } from '../../api.ts';
import { Button } from '../form/button.tsx';
import { Windows } from '../school/windows.tsx';

interface LoadingProps {
  children?: ReactNode;
  /** Whether the list fills the page: placeholders then reserve the space of its rows. */
  fillsPage?: boolean | undefined;
}

/** Shown while a list is loading. It is announced without a role: only notices have the roles `status` and `alert`. */
export function Loading({ children = 'Loading...', fillsPage = false }: LoadingProps) {
  return (
    <>
      <div className="flex items-center justify-center gap-3 py-10 text-ink-soft" aria-live="polite">
        <span className="spinner" aria-hidden="true" />
        <p>{children}</p>
      </div>
      {fillsPage && <div aria-hidden="true" className="skeleton-rows" />}
    </>
  );
}

/** Stands for a list without items: the picture shows a street without a light. */
export function Empty({ children }: { children: ReactNode }) {
  return (
    <div className="my-4 grid justify-items-center gap-4 rounded-lg bg-night px-4 py-8 text-center text-on-night">
      <Windows lights={[]} className="h-6.5" />
      <p>{children}</p>
    </div>
  );
}

interface FailedProps {
  /** The sentence about what failed: "The schools could not be loaded." */
  children: ReactNode;
  /** The cause, from which the second sentence is made. */
  error: unknown;
  onRetry: () => void;
}

export function Failed({ children, error, onRetry }: FailedProps) {
  const cause = problemText(error);
  return (
    <div className="flex flex-col items-center gap-4 py-10 text-center" aria-live="polite">
      <div>
        <p>{children}</p>
        {cause !== children && <p className="text-ink-soft">{cause}</p>}
      </div>
      <Button variant="quiet" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}

/** The part of a TanStack Query result that decides between the four states. */
export interface ListQuery<Row> {
  data: readonly Row[] | undefined;
  isError: boolean;
  error: unknown;
  refetch: () => unknown;
}

export interface QueryListProps<Row> extends Pick<LoadingProps, 'fillsPage'> {
  query: ListQuery<Row>;
  loading: ReactNode;
  empty: ReactNode;
  failed: ReactNode;
  children: (rows: readonly Row[]) => ReactNode;
}

/** A list in one of its four states: loading, failed, empty or full. */
export function QueryList<Row>({ query, loading, fillsPage, empty, failed, children }: QueryListProps<Row>) {
  if (query.data?.length) return children(query.data);
  if (query.data) return <Empty>{empty}</Empty>;
  if (query.isError) {
    return (
      <Failed error={query.error} onRetry={() => void query.refetch()}>
        {failed}
      </Failed>
    );
  }
  return <Loading fillsPage={fillsPage}>{loading}</Loading>;
}

interface ScrollRegionProps extends ComponentProps<'section'> {
  /** Whether there is more than the region shows. */
  scrolls?: boolean;
}

/** A part of the page that scrolls by itself. The keyboard must reach it (WCAG 2.1.1). */
export function ScrollRegion({ scrolls = true, ...region }: ScrollRegionProps) {
  return <section {...region} tabIndex={scrolls ? 0 : undefined} />;
}
