import type { ComponentProps, ReactNode } from 'react';
import { problemText } from '../../api.ts';
import { passFocusOn } from '../../navigation.ts';
import { Button } from '../form/button.tsx';
import { Windows } from '../school/windows.tsx';

/** Up to so many rows a list is rendered whole, so that find in page and print reach each of them. */
export const WHOLE_LIST_MAX = 200;

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

/** Shown in place of a list without items: the picture is a street without a light. */
export function Empty({ children }: { children: ReactNode }) {
  return (
    <div className="my-4 grid justify-items-center gap-4 rounded-lg bg-night px-4 py-8 text-center text-on-night">
      <Windows lights={[]} className="h-6.5 max-w-full" />
      <p>{children}</p>
    </div>
  );
}

/** The part of a TanStack Query result that decides what is shown of it. */
export interface ReadResult<Data> {
  data: Data | undefined;
  isError: boolean;
  error: unknown;
  refetch: () => unknown;
}

interface FailedProps {
  /** The sentence about what failed: "The schools could not be loaded." The second one is made from the cause. */
  children: ReactNode;
  query: Pick<ReadResult<unknown>, 'error' | 'refetch'>;
}

export const isBefore = (one: Node, other: Node) =>
  (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;

/**
 * The heading of the list around an element, made focusable: the last one before it, in the closest part of the page,
 * that is not the heading of another section.
 */
function findListHeading(element: HTMLElement): HTMLElement | undefined {
  for (
    let around = element.parentElement;
    around?.matches(':not(main, section[tabindex])');
    around = around.parentElement
  ) {
    const heading = [...around.querySelectorAll('h2')].findLast(
      (one) => isBefore(one, element) && (one.closest('section')?.contains(element) ?? true),
    );
    if (heading) return Object.assign(heading, { tabIndex: -1 });
  }
  return undefined;
}

/** Passes the focus on to the heading of the list, which is there while the list is loaded again. */
function passFocusToHeading(button: HTMLElement | null) {
  const heading = button ? findListHeading(button) : undefined;
  return passFocusOn(button, () => heading);
}

export function Failed({ children, query }: FailedProps) {
  const cause = problemText(query.error);
  return (
    <div className="flex flex-col items-center gap-4 py-10 text-center" aria-live="polite">
      <div>
        <p>{children}</p>
        {cause !== children && <p className="text-ink-soft">{cause}</p>}
      </div>
      <Button variant="quiet" ref={passFocusToHeading} onClick={() => void query.refetch()}>
        Retry
      </Button>
    </div>
  );
}

interface LoadedProps<Data> extends Pick<LoadingProps, 'fillsPage'> {
  query: ReadResult<Data>;
  loading?: ReactNode;
  failed: ReactNode;
  children: (data: Data) => ReactNode;
}

/** Shows what a query has read, or that it is loading or could not be loaded. */
export function Loaded<Data>({ query, loading, fillsPage, failed, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failed query={query}>{failed}</Failed>;
  return <Loading fillsPage={fillsPage}>{loading}</Loading>;
}

export interface QueryListProps<Row> extends LoadedProps<readonly Row[]> {
  empty: ReactNode;
}

/** A list in one of its four states: loading, failed, empty or full. */
export function QueryList<Row>({ empty, children, ...read }: QueryListProps<Row>) {
  return <Loaded {...read}>{(rows) => (rows.length > 0 ? children(rows) : <Empty>{empty}</Empty>)}</Loaded>;
}

interface ScrollRegionProps extends ComponentProps<'section'> {
  /** Whether there is more than the region shows. */
  scrolls?: boolean;
}

/** A part of the page that scrolls by itself. The keyboard must reach it (WCAG 2.1.1). */
export function ScrollRegion({ scrolls = true, ...region }: ScrollRegionProps) {
  return <section {...region} tabIndex={scrolls ? 0 : undefined} />;
}
