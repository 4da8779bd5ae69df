import type { ComponentProps } from 'react';

interface ButtonProps extends ComponentProps<'button'> {
  variant?: 'primary' | 'quiet' | 'danger';
  /** Shows a spinner beside the text and takes no second click. */
  isPending?: boolean;
}

/** A button; `type="button"` unless told, so that only the one meant to submits its form. */
export function Button({
  variant = 'primary',
  isPending = false,
  disabled,
  className = '',
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${variant} ${className}`}
      disabled={disabled || isPending}
      aria-busy={isPending || undefined}
    >
      {isPending && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  );
}
