import type { ComponentProps } from 'react';
import { DRAWINGS, Drawing } from '../layout/drawing.tsx';

interface SearchInputProps extends ComponentProps<'input'> {
  /** For pages whose first purpose is the search. */
  isLarge?: boolean;
}

/** The input of a search, with its icon. */
export function SearchInput({ isLarge = false, ...input }: SearchInputProps) {
  return (
    <span className="relative block">
      <Drawing
        d={DRAWINGS.search}
        className={`pointer-events-none absolute top-1/2 -translate-y-1/2 text-ink-soft ${isLarge ? 'left-5 size-6' : 'left-3.5 size-5'}`}
      />
      <input {...input} className={`input ${isLarge ? 'input-large' : 'pl-11'}`} />
    </span>
  );
}
