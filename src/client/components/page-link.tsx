import type { SyntheticEvent } from 'react';
import { Link, type LinkProps } from 'react-router';
import { prefetchPage } from '../prefetch.ts';

const prefetch = ({ currentTarget }: SyntheticEvent<HTMLAnchorElement>) => prefetchPage(currentTarget.pathname);

/** A link to a page of the product. Pointing at it or focusing it prefetches the page's code. */
export function PageLink(props: LinkProps) {
  return <Link {...props} onPointerEnter={prefetch} onFocus={prefetch} />;
}
