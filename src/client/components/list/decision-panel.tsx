import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { KeyButton } from './key-button.tsx';

/** The position of an item in its queue. */
export interface QueuePosition {
  /** "4 of 12". */
  readonly label: string;
  /** Whether the item was just chosen and takes the focus. */
  readonly takesFocus: boolean;
  readonly onNext: () => void;
  /** Opens the item with an id, also one that the next rendering adds. */
  readonly onShow: (id: number | string) => void;
}

interface DecisionPanelProps {
  label: string;
  /** What the item is about, in one line. */
  about: ReactNode;
  position: QueuePosition;
  /** Whether keys decide, as `keys` says, and J goes to the next item. */
  hasKeys: boolean;
  /** The actions by their letters in lower case, which the buttons show. */
  keys: Readonly<Record<string, (() => void) | undefined>>;
  /** Why nothing was decided. */
  problem?: string | undefined;
  /** The buttons to decide. "Next" follows them. */
  buttons: ReactNode;
  children: ReactNode;
}

/** The open item of a queue. Its keys work while the focus is inside it and not in a field (WCAG 2.1.4). */
export function DecisionPanel({
  label,
  about,
  position,
  hasKeys,
  keys,
  problem,
  buttons,
  children,
}: DecisionPanelProps) {
  const panel = useRef<HTMLElement>(null);
  const { takesFocus, onNext } = position;

  useEffect(() => {
    if (takesFocus) panel.current?.focus({ preventScroll: true });
  }, [takesFocus]);

  function press(event: KeyboardEvent): void {
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, dialog');
    // A key that is held down must not decide about one item after the other.
    if (!hasKeys || isTyping || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    const run = { ...keys, j: onNext }[event.key.toLowerCase()];
    if (!run) return;
    event.preventDefault();
    run();
  }

  return (
    // The focused element must not be below the bar of buttons (WCAG 2.4.11).
    <section
      ref={panel}
      aria-label={label}
      tabIndex={-1}
      className="card grid gap-4 p-4 sm:p-6 [&_:is(a,fieldset,input,select,textarea)]:scroll-mb-40"
      onKeyDown={press}
    >
      <p className="flex justify-between gap-x-4 text-sm text-ink-soft">
        <span className="min-w-0 wrap-anywhere">{about}</span>
        <span className="whitespace-nowrap tabular-nums">{position.label}</span>
      </p>
      {children}
      <div className="sticky bottom-0 -mx-4 -mb-4 grid gap-3 rounded-b-lg border-t border-line bg-surface p-4 sm:-mx-6 sm:-mb-6 sm:px-6">
        {problem && (
          <p role="alert" className="font-semibold text-danger">
            {problem}
          </p>
        )}
        {/* One row on phones too, because it covers what is read. */}
        <div className="flex gap-3 max-sm:gap-2 max-sm:*:min-w-0 max-sm:*:grow max-sm:*:px-2">
          {buttons}
          <KeyButton variant="quiet" className="sm:ml-auto" shortcut={hasKeys ? 'J' : undefined} onClick={onNext}>
            Next
          </KeyButton>
        </div>
      </div>
    </section>
  );
}
