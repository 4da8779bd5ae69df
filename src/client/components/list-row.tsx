import type { ComponentProps, ReactNode } from 'react';
import { PageLink } from './page-link.tsx';

interface ListRowProps extends ComponentProps<'li'> {
  to: string;
  name: string;
  /** Below the name, or beside it where the list is wide. */
  detail?: string;
  /** Leaves the detail out where it would make the row higher. */
  isDetailOptional?: boolean;
  icon?: ReactNode;
  /** A figure at the right. */
  children?: ReactNode;
}

/** A list item that is a link as a whole. Its <ul> has the class `rows`. */
export function ListRow({
  to,
  name,
  detail,
  isDetailOptional = false,
  icon,
  children,
  className = '',
  ...item
}: ListRowProps) {
  return (
    <li {...item} className={`row ${className}`}>
      <PageLink to={to} className="flex h-full min-h-15 items-center gap-4 py-2">
        {icon}
        <span
          className={`grid min-w-0 grow items-baseline gap-x-6 wrap-anywhere ${detail ? '@3xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]' : ''}`}
        >
          <span dir="auto" className="font-serif leading-snug font-semibold">
            {name}
          </span>
          {detail && (
            <span dir="auto" className={`text-sm text-ink-soft ${isDetailOptional ? '@max-3xl:hidden' : ''}`}>
              {detail}
            </span>
          )}
        </span>
        {children}
      </PageLink>
    </li>
  );
}
