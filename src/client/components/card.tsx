import type { ComponentProps } from 'react';

export function Card({ className = '', ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={`card p-5 sm:p-6 ${className}`} />;
}
