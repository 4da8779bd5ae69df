import type { ReactNode } from 'react';

interface StatCardProps {
  label: string;
  children: ReactNode;
}

/** One figure and what it counts; several stand in a <dl>. */
export function StatCard({ label, children }: StatCardProps) {
  return (
    <div className="card flex flex-col gap-1 px-5 py-4">
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd className="font-serif text-xl font-semibold tabular-nums">{children}</dd>
    </div>
  );
}
