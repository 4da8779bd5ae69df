import type { ComponentProps } from 'react';

interface RowButtonProps extends ComponentProps<'button'> {
  variant: 'danger' | 'quiet';
  /** The button's request is in flight. `disabled` would make the button lose the focus. */
  isBusy?: boolean;
  /** The id of the element that names the row. */
  nameId: string;
}

/** "Update" or "Delete" in a row. The name of the row is its accessible description. */
export function RowButton({ variant, isBusy = false, nameId, className = '', children, ...rest }: RowButtonProps) {
  const colours = variant === 'danger' ? 'text-danger hover:bg-danger-soft' : 'text-brand hover:bg-brand-soft';
  return (
    <button
      type="button"
      {...rest}
      aria-describedby={nameId}
      aria-busy={isBusy || undefined}
      className={`inline-flex min-h-touch min-w-touch items-center gap-2 rounded-sm px-3 font-semibold aria-busy:opacity-60 ${colours} ${className}`}
    >
      {children}
    </button>
  );
}
