import type { ComponentProps } from 'react';
import { DRAWINGS, Drawing } from '../layout/drawing.tsx';

interface DisclosureCardProps extends ComponentProps<'details'> {
  summary: string;
}

/** A card of which only the first line is shown until somebody opens it. */
export function DisclosureCard({ summary, className = '', children, ...details }: DisclosureCardProps) {
  return (
    <details {...details} className={`card group ${className}`}>
      <summary className="flex min-h-12 items-center gap-3 rounded-lg px-5 py-2 font-semibold sm:px-6">
        <Drawing d={DRAWINGS.right} className="size-5 transition-transform duration-(--quick) group-open:rotate-90" />
        {summary}
      </summary>
      <div className="border-t border-line p-5 sm:p-6">{children}</div>
    </details>
  );
}
