import type { ComponentProps } from 'react';

interface ButtonProps extends ComponentProps<'button'> {
  variant?: 'primary' | 'quiet' | 'danger';
  /** Shows a spinner beside the text and ignores clicks. The button keeps the focus. */
  isPending?: boolean;
}

/** A button. Its default type is `button`: a submit button has to set its type. */
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
      aria-busy={isPending || undefined}
      {...rest}
      className={`button button-${variant} ${className}`}
      // `disabled` would make the button lose the focus.
      aria-disabled={isPending || undefined}
      onClick={isPending ? (event) => event.preventDefault() : onClick}
    >
      {isPending && <span className="spinner" aria-hidden="true" />}
      <span>{children}</span>
    </button>
  );
}

interface ToggleTextProps {
  isOn: boolean;
  /** The visible text while the button is pressed. */
  on: string;
  /** The accessible name of the button, pressed or not: `aria-pressed` gives the state. */
  children: string;
}

/** The text of a button that stays pressed. */
export function ToggleText({ isOn, on, children }: ToggleTextProps) {
  return (
    <>
      <span className={isOn ? 'sr-only' : undefined}>{children}</span>
      {isOn && <span aria-hidden="true">{on}</span>}
    </>
  );
}
