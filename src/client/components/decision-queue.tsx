import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';

/** Where an item stands in its queue. */
export interface QueuePlace {
  /** "4 of 12". */
  readonly position: string;
  /** Whether the item was just chosen and takes the focus. */
  readonly takesFocus: boolean;
  readonly onNext: () => void;
}

interface DecisionQueueProps<Item> {
  items: readonly Item[];
  idOf: (item: Item) => number;
  /** One line in bold, and one below it. */
  summaryOf: (item: Item) => readonly [title: string, detail: string];
  children: (item: Item, place: QueuePlace) => ReactNode;
}

/** Items to decide about. One is open at a time; on wide screens the list is beside it. */
export function DecisionQueue<Item>({ items, idOf, summaryOf, children }: DecisionQueueProps<Item>) {
  const [chosenId, setChosenId] = useState<number>();
  const index = Math.max(
    0,
    items.findIndex((item) => idOf(item) === chosenId),
  );
  const item = items[index];
  if (!item) return null;
  const next = items[(index + 1) % items.length];
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[22rem_1fr]">
      <ul className="hidden max-h-[70dvh] overflow-y-auto border-t border-line lg:block">
        {items.map((one) => (
          <li key={idOf(one)} className="border-b border-line">
            <button
              type="button"
              aria-current={one === item || undefined}
              className="grid min-h-15 w-full gap-0.5 p-3 text-left aria-[current]:bg-brand-soft"
              onClick={() => setChosenId(idOf(one))}
            >
              <span className="font-semibold wrap-anywhere">{summaryOf(one)[0]}</span>
              <span className="text-sm text-ink-soft wrap-anywhere">{summaryOf(one)[1]}</span>
            </button>
          </li>
        ))}
      </ul>
      {children(item, {
        position: `${index + 1} of ${items.length}`,
        takesFocus: chosenId !== undefined,
        onNext: () => setChosenId(next && idOf(next)),
      })}
    </div>
  );
}

interface DecisionPanelProps {
  label: string;
  takesFocus: boolean;
  /** What keys do by their letters in lower case; empty while they are turned off. */
  keys: Readonly<Record<string, (() => void) | undefined>>;
  children: ReactNode;
}

/** The open item. Its keys work while the focus is inside it and not in a field (WCAG 2.1.4). */
export function DecisionPanel({ label, takesFocus, keys, children }: DecisionPanelProps) {
  const panel = useRef<HTMLElement>(null);

  useEffect(() => {
    if (takesFocus) panel.current?.focus({ preventScroll: true });
  }, [takesFocus]);

  function press(event: KeyboardEvent): void {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const run = keys[event.key.toLowerCase()];
    if (!run) return;
    event.preventDefault();
    run();
  }

  return (
    <section ref={panel} aria-label={label} tabIndex={-1} className="card grid gap-4 p-4 sm:p-6" onKeyDown={press}>
      {children}
    </section>
  );
}

/** The buttons of a decision, at the foot of its panel. */
export function DecisionButtons({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-0 -mx-4 -mb-4 flex flex-wrap gap-3 rounded-b-lg border-t border-line bg-surface p-4 sm:-mx-6 sm:-mb-6 sm:px-6">
      {children}
    </div>
  );
}
