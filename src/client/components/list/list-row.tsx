import { type ComponentProps, type ReactNode, useId } from 'react';
import { PageLink } from '../layout/page-link.tsx';
import { RowCompareButton } from '../school/compare-button.tsx';

interface ListRowProps extends ComponentProps<'li'> {
  to: string;
  name: string;
  /** Below the name, or beside it where the list is wide. */
  detail?: string;
  /** Leaves the detail out where it would make the row higher. */
  isDetailOptional?: boolean;
  icon?: ReactNode;
  /** The school that the row is about, which a button then adds to the comparison. */
  comparesId?: number;
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
  comparesId,
  children,
  className = '',
  ...item
}: ListRowProps) {
  const nameId = useId();
  return (
    <li {...item} className={`row flex items-center ${className}`}>
      <PageLink to={to} className="flex h-full min-h-15 min-w-0 grow items-center gap-4 py-2">
        {icon}
        <span
          className={`grid min-w-0 grow items-baseline gap-x-6 wrap-anywhere ${detail ? '@3xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]' : ''}`}
        >
          <span id={nameId} dir="auto" className="font-serif leading-snug font-semibold">
            {name}
          </span>
          {detail && (
            <span dir="auto" className={`lines-3 text-sm text-ink-soft ${isDetailOptional ? '@max-3xl:hidden' : ''}`}>
              {detail}
            </span>
          )}
        </span>
        {/* All as wide as the widest, so that the details begin on one line. */}
        {children && <span className="shrink-0 text-right @3xl:w-40">{children}</span>}
      </PageLink>
      {comparesId !== undefined && <RowCompareButton schoolId={comparesId} nameId={nameId} />}
    </li>
  );
}
