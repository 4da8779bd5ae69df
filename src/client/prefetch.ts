type Prefetch = (pathname: string) => void;

let prefetch: Prefetch = () => {};

/** Hands in how the code of a page is fetched; links know that they want it, not where it is. */
export function providePrefetch(provided: Prefetch): void {
  prefetch = provided;
}

/** Fetches the code of the page at an address, so that it is there when the link is followed. */
export function prefetchPage(pathname: string): void {
  prefetch(pathname);
}
