import { Link, type LinkProps, useHref } from 'react-router';
import { prefetchPage } from '../prefetch.ts';

/** A link to a page of the product. Pointing at it or focusing it prefetches the page's code. */
export function PageLink(props: LinkProps) {
  const { pathname } = new URL(useHref(props.to), 'http://localhost');
  const prefetch = () => prefetchPage(pathname);
  return <Link {...props} onPointerEnter={prefetch} onFocus={prefetch} />;
}
