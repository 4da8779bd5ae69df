type Prefetch = (pathname: string) => void;

let prefetch: Prefetch = () => {};

/** Sets the function that fetches the code of a page, so that links need not import the modules of all pages. */
export function providePrefetch(provided: Prefetch): void {
  prefetch = provided;
}

/** Fetches the code of the page at an address before its link is followed. */
export function prefetchPage(pathname: string): void {
  prefetch(pathname);
}
