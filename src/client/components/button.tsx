import type { ComponentProps } from 'react';

interface ButtonProps extends ComponentProps<'button'> {
  variant?: 'primary' | 'quiet' | 'danger';
  /** Shows a spinner beside the text and takes no second click, but keeps the focus. */
  isPending?: boolean;
}

/** A button; `type="button"` unless told, so that only the one meant to submits its form. */
export function Button({
  variant = 'primary',
  isPending = false,
  className = '',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${variant} ${className}`}
      // Not `disabled`, which would take the focus away from it.
      aria-disabled={isPending || undefined}
      aria-busy={isPending || undefined}
      onClick={isPending ? (event) => event.preventDefault() : onClick}
    >
      {isPending && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  );
}
