import type { ReactNode } from 'react';

/** A few figures side by side, between two thin lines. */
export function StatStrip({ children }: { children: ReactNode }) {
  return (
    <dl className="flex gap-x-4 gap-y-2 border-y border-line py-2 sm:gap-x-12 max-[22rem]:flex-wrap sm:py-2.5">
      {children}
    </dl>
  );
}

interface StatProps {
  label: string;
  /** The value; false or undefined when it could not be loaded. */
  children: ReactNode;
  /** The value is a name and not a number: it takes the remaining width and at most two lines. */
  isText?: boolean;
}

/** One figure with its label. */
export function Stat({ label, children, isText = false }: StatProps) {
  const style = isText
    ? 'lines-2 text-[0.9375rem] pt-1 leading-4.75 wrap-anywhere'
    : 'font-serif text-xl leading-6 font-semibold';
  return (
    <div className={isText ? 'min-w-0 basis-auto max-sm:grow max-sm:basis-24' : ''}>
      <dt className="text-xs leading-4 text-ink-soft">{label}</dt>
      <dd className={`tabular-nums ${style}`}>{children || 'Not loaded'}</dd>
    </div>
  );
}
