import type { ComponentProps } from 'react';
import { Button } from '../form/button.tsx';

interface KeyButtonProps extends ComponentProps<typeof Button> {
  /** The key that presses it; undefined while keys are off. */
  shortcut: string | undefined;
}

/** A button that shows the key that presses it, where there is a keyboard. */
export function KeyButton({ shortcut, children, ...button }: KeyButtonProps) {
  return (
    <Button {...button} aria-keyshortcuts={shortcut}>
      <span>{children}</span>
      {shortcut && (
        <span
          aria-hidden="true"
          className="ml-2 hidden rounded-sm border border-current px-1.5 font-sans text-xs leading-5 opacity-80 sm:pointer-fine:inline"
        >
          {shortcut}
        </span>
      )}
    </Button>
  );
}
