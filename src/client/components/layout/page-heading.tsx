import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { MAIN_ID } from '../../navigation.ts';
import { usePageTitle } from '../../page.ts';

interface PageHeadingProps {
  children: ReactNode;
  /** The name for the document's title. Default: the title of the route. */
  title?: string;
  subtitle?: ReactNode;
  className?: string;
}

/** The h1 of a page. It takes the focus after a navigation. */
export function PageHeading({ children, title, subtitle, className = '' }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageTitle(title);
  useLayoutEffect(() => {
    const element = heading.current;
    // This heading was rendered late, with its data: the navigation found no heading and focused <main>.
    if (document.activeElement?.id === MAIN_ID) element?.focus({ preventScroll: true });
    return () => {
      // Another heading replaces this one, such as that of a refusal, and takes the focus.
      if (document.activeElement === element) document.getElementById(MAIN_ID)?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <div className={`min-w-0 wrap-anywhere ${className}`}>
      <h1 ref={heading} tabIndex={-1} className="text-2xl">
        {children}
      </h1>
      {subtitle && <p className="mt-2 max-w-prose text-lg text-ink-soft">{subtitle}</p>}
    </div>
  );
}
