import {
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { passFocusOn } from '../../navigation.ts';
import { Button } from '../form/button.tsx';

/** The position of an item in its queue. */
export interface QueuePosition {
  /** "4 of 12". */
  readonly label: string;
  /** Whether the item was just chosen and takes the focus. */
  readonly takesFocus: boolean;
  /** Whether keys decide, and J goes to the next item. */
  readonly hasKeys: boolean;
  readonly onNext: () => void;
  /** Opens the item with an id, also one that the next rendering adds. */
  readonly onShow: (id: number | string) => void;
}

/** A button to decide, which a key presses too. */
interface DecisionButtonProps extends ComponentProps<typeof Button> {
  /** The key, as the button shows it. */
  shortcut: string;
  /** The action of the key. The button does the same, unless it sends a form or has an `onClick` of its own. */
  run: () => void;
  /** The `shortcut` of the button whose element this one takes over, so that the focus stays on it. */
  replaces?: string;
}

interface DecisionPanelProps {
  label: string;
  /** The subject of the item, in one line. */
  about: ReactNode;
  position: QueuePosition;
  /** Why nothing was decided. */
  problem?: string | undefined;
  /** The buttons that decide. "Next" follows them. */
  decisions: readonly DecisionButtonProps[];
  children: ReactNode;
}

/** The open item of a queue. Its keys work while the focus is inside it and not in a field (WCAG 2.1.4). */
export function DecisionPanel({ label, about, position, problem, decisions, children }: DecisionPanelProps) {
  const panel = useRef<HTMLElement>(null);
  const { takesFocus, hasKeys, onNext } = position;
  const next = { shortcut: 'J', run: onNext, className: 'sm:ml-auto', children: 'Next' };
  const buttons: readonly DecisionButtonProps[] = [...decisions, next];

  useEffect(() => {
    if (!takesFocus) return;
    panel.current?.focus({ preventScroll: true });
    // The page may be scrolled down to the end of the item before.
    panel.current?.firstElementChild?.scrollIntoView({ block: 'nearest' });
  }, [takesFocus]);

  function decideByKey(event: KeyboardEvent): void {
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, dialog');
    // A key that is held down must not decide about one item after the other.
    if (!hasKeys || isTyping || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    const decision = buttons.find(({ shortcut }) => shortcut.toLowerCase() === event.key.toLowerCase());
    if (!decision) return;
    event.preventDefault();
    decision.run();
  }

  return (
    // The focused element must not be below the bar of buttons (WCAG 2.4.11).
    <section
      ref={panel}
      aria-label={label}
      tabIndex={-1}
      className="card grid grid-cols-[minmax(0,1fr)] gap-4 p-4 sm:p-6 [&_:is(a,fieldset,input,select,textarea)]:scroll-mb-40"
      onKeyDown={decideByKey}
    >
      <p className="flex justify-between gap-x-4 text-sm text-ink-soft">
        <span className="min-w-0 wrap-anywhere">{about}</span>
        <span className="whitespace-nowrap tabular-nums">{position.label}</span>
      </p>
      {children}
      <div className="sticky bottom-[var(--bottom-bar,0px)] max-[16rem]:static -mx-4 -mb-4 grid gap-3 rounded-b-lg border-t border-line bg-surface p-4 sm:-mx-6 sm:-mb-6 sm:px-6">
        {problem && (
          <p role="alert" className="font-semibold text-danger">
            {problem}
          </p>
        )}
        {/* The bar is one row on phones too, because it covers the text that is read. */}
        <div className="flex gap-3 max-[16rem]:flex-wrap max-sm:gap-2 max-sm:*:min-w-0 max-sm:*:grow max-sm:*:px-2">
          {buttons.map(({ replaces, ...decision }) => (
            <DecisionButton key={replaces ?? decision.shortcut} hasKeys={hasKeys} {...decision} />
          ))}
        </div>
      </div>
    </section>
  );
}

/** A button that decides. It shows its key where there is a keyboard. */
function DecisionButton({ shortcut, run, hasKeys, children, ...button }: DecisionButtonProps & { hasKeys: boolean }) {
  const sendsForm = button.type === 'submit';
  return (
    <Button
      variant="quiet"
      onClick={sendsForm ? undefined : run}
      {...button}
      aria-keyshortcuts={hasKeys ? shortcut : undefined}
    >
      <span>{children}</span>
      {hasKeys && (
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

/** A form of a decision: the first press on its button opens it, the second one sends it. */
export function useDecisionForm() {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const open = () => setIsOpen(true);

  function openOnFirstPress(event: MouseEvent): void {
    // From now on the same button sends the form: this press must not do so yet.
    event.preventDefault();
    open();
  }

  const pressProps = isOpen ? ({ type: 'submit', form: id } as const) : { onClick: openOnFirstPress };
  return { id, isOpen, button: { run: open, 'aria-expanded': isOpen, ...pressProps } };
}

interface DecisionQueueProps<Item> {
  items: readonly Item[];
  idOf: (item: Item) => number | string;
  /** One line in bold, and one below it. */
  summaryOf: (item: Item) => readonly [title: string, detail: string];
  hasKeys: boolean;
  children: (item: Item, position: QueuePosition) => ReactNode;
}

/** Items to decide about. One is open at a time; on wide screens the list is beside it. */
export function DecisionQueue<Item>({ items, idOf, summaryOf, hasKeys, children }: DecisionQueueProps<Item>) {
  const [chosenId, setChosenId] = useState<number | string>();
  const index = Math.max(
    0,
    items.findIndex((item) => idOf(item) === chosenId),
  );
  const item = items[index];
  const next = items[(index + 1) % items.length];

  if (!item) return null;

  function renderLine(listed: Item): ReactNode {
    const [title, detail] = summaryOf(listed);
    return (
      <li key={idOf(listed)} className="border-b border-line last:border-b-0">
        <button
          type="button"
          aria-current={listed === item || undefined}
          className="grid min-h-15 w-full gap-0.5 p-3 text-left aria-[current]:bg-brand-soft"
          onClick={() => setChosenId(idOf(listed))}
        >
          <span className="font-semibold wrap-anywhere">{title}</span>
          <span className="text-sm text-ink-soft wrap-anywhere">{detail}</span>
        </button>
      </li>
    );
  }

  return (
    // After the last decision the queue disappears, and the focused element with it.
    <div ref={passFocusOn} className="grid items-start gap-6 lg:grid-cols-[22rem_1fr]">
      <ul className="hidden max-h-[70dvh] overflow-y-auto border-t border-line lg:block">{items.map(renderLine)}</ul>
      {children(item, {
        label: `${index + 1} of ${items.length}`,
        takesFocus: chosenId !== undefined,
        hasKeys,
        onNext: () => setChosenId(next && idOf(next)),
        onShow: setChosenId,
      })}
    </div>
  );
}
