import { type ComponentProps, type ReactNode, useId } from 'react';
import { PageLink } from '../layout/page-link.tsx';
import { RowCompareButton } from '../school/compare-button.tsx';
import { BeingChecked } from '../school/score.tsx';

interface ListRowProps extends ComponentProps<'li'> {
  to: string;
  name: string;
  /** Below the name, or beside it where the list is wide. */
  detail?: string;
  /** The id of a school, for which the row has a button that adds it to the comparison. */
  comparesId?: number;
  /** Whether the figure counts reviews that are being checked. */
  isBeingChecked?: boolean | undefined;
  /** Below the row, across its width. */
  below?: ReactNode;
  /** A figure at the right; on narrow screens after the detail. */
  children?: ReactNode;
}

/** A list item with a link as its first line. Its <ul> has the class `rows`. */
export function ListRow({
  to,
  name,
  detail,
  comparesId,
  isBeingChecked = false,
  below,
  children,
  className = '',
  ...item
}: ListRowProps) {
  const nameId = useId();
  return (
    <li {...item} className={`row flex flex-wrap items-center gap-x-3 ${className}`}>
      <PageLink
        to={to}
        state={{ name }}
        className="flex min-h-15 min-w-0 flex-1 items-center gap-x-4 self-stretch py-2 @max-md:flex-wrap @max-md:content-center @max-md:gap-x-3"
      >
        <span
          className={`grid min-w-0 grow items-baseline gap-x-6 wrap-anywhere @max-md:contents ${detail ? '@3xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]' : ''}`}
        >
          <span id={nameId} dir="auto" className="font-serif leading-snug font-semibold @max-md:basis-full">
            {name}
          </span>
          {detail && (
            <span dir="auto" className="lines-3 text-sm text-ink-soft">
              {detail}
            </span>
          )}
        </span>
        {/* All figures are equally wide, so that the details are aligned; on narrow screens they are one line high. */}
        {children && (
          <span className="shrink-0 text-right @md:min-w-24 @3xl:w-40 @max-md:leading-5 @max-md:empty:hidden">
            {children}
          </span>
        )}
      </PageLink>
      {isBeingChecked && <BeingChecked className="@max-md:order-last @max-md:-mt-2 @max-md:mb-2 @max-md:basis-full" />}
      {comparesId !== undefined && <RowCompareButton schoolId={comparesId} nameId={nameId} />}
      {below && <div className="order-last min-w-0 basis-full pb-4">{below}</div>}
    </li>
  );
}
