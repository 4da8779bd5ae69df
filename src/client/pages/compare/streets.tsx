import type { ReactNode } from 'react';
import { type Light, Windows } from '../../components/school/windows.tsx';

interface StreetsProps {
  /** The lights of the first school. Those of the second are dark: it is missing, or neither is reviewed. */
  lights?: readonly Light[];
  /** What the picture means, below it. */
  children?: ReactNode;
}

/** A picture of a comparison: the windows of two schools. */
export function Streets({ lights = [], children }: StreetsProps) {
  return (
    <div
      className={`grid gap-6 rounded-lg bg-night p-4 text-on-night sm:gap-20 sm:px-10 sm:py-24 ${children ? '' : 'no-print'}`}
    >
      <div aria-hidden="true" className="no-print grid gap-6 text-accent sm:gap-20">
        <Windows lights={lights} className="w-full" />
        <Windows lights={[]} className="w-full" />
      </div>
      {children && <p className="text-center">{children}</p>}
    </div>
  );
}
