import type { ComponentProps, ReactNode } from 'react';
import { DRAWINGS, Drawing } from '../layout/drawing.tsx';

interface DisclosureCardProps extends ComponentProps<'details'> {
  summary: string;
  /** A part of the content, shown below the first line until somebody opens the card. */
  preview?: ReactNode;
}

/** A card of which only the first line is shown until somebody opens it. */
export function DisclosureCard({ summary, preview, className = '', children, ...details }: DisclosureCardProps) {
  return (
    <details {...details} className={`card group ${className}`}>
      <summary className="flex min-h-12 flex-wrap items-center gap-x-3 rounded-lg px-5 py-2 font-semibold sm:px-6">
        <Drawing d={DRAWINGS.right} className="size-5 transition-transform duration-(--quick) group-open:rotate-90" />
        <span className="min-w-0 flex-1 py-1">{summary}</span>
        {preview && <span className="basis-full pt-1 pb-3 font-normal group-open:hidden">{preview}</span>}
      </summary>
      <div className="border-t border-line p-5 sm:p-6">{children}</div>
    </details>
  );
}
