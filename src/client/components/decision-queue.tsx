import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';

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
  /** Default: every item has a line of its own. */
  grouping?: Grouping<Item>;
  children: (item: Item, place: QueuePlace) => ReactNode;
}

/** Items that belong together. The list shows the first ones of a group, and the others behind a disclosure. */
interface Grouping<Item> {
  /** Undefined: the item belongs to no group. */
  groupOf: (item: Item) => number | undefined;
  /** "7 more of this burst". */
  moreText: (count: number) => string;
}

/** Items to decide about. One is open at a time; on wide screens the list is beside it. */
export function DecisionQueue<Item>({ items, idOf, summaryOf, grouping, children }: DecisionQueueProps<Item>) {
  const [chosenId, setChosenId] = useState<number>();
  const index = Math.max(
    0,
    items.findIndex((item) => idOf(item) === chosenId),
  );
  const item = items[index];
  if (!item) return null;
  const next = items[(index + 1) % items.length];
  const line = (one: Item) => (
    <QueueLine
      key={idOf(one)}
      summary={summaryOf(one)}
      isCurrent={one === item}
      onChoose={() => setChosenId(idOf(one))}
    />
  );
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[22rem_1fr]">
      <ul className="hidden max-h-[70dvh] overflow-y-auto border-t border-line lg:block">
        {foldGroups(items, grouping).map(({ item: one, more }) => (
          <Fragment key={idOf(one)}>
            {line(one)}
            {more.length > 0 && (
              <li className="border-b border-line">
                {/* Open while the chosen item is in it. */}
                <details open={more.includes(item)}>
                  <summary className="text-link flex min-h-touch items-center p-3">
                    {grouping?.moreText(more.length)}
                  </summary>
                  <ul className="border-t border-line pl-4">{more.map(line)}</ul>
                </details>
              </li>
            )}
          </Fragment>
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

interface QueueLineProps {
  summary: readonly [title: string, detail: string];
  isCurrent: boolean;
  onChoose: () => void;
}

function QueueLine({ summary: [title, detail], isCurrent, onChoose }: QueueLineProps) {
  return (
    <li className="border-b border-line last:border-b-0">
      <button
        type="button"
        aria-current={isCurrent || undefined}
        className="grid min-h-15 w-full gap-0.5 p-3 text-left aria-[current]:bg-brand-soft"
        onClick={onChoose}
      >
        <span className="font-semibold wrap-anywhere">{title}</span>
        <span className="text-sm text-ink-soft wrap-anywhere">{detail}</span>
      </button>
    </li>
  );
}

/** How many items of a group have lines of their own. */
const SHOWN_OF_GROUP = 3;

/** The items with lines of their own, in order. The last one shown of a large group has the others in `more`. */
function foldGroups<Item>(items: readonly Item[], grouping: Grouping<Item> | undefined) {
  // An item that belongs to no group is a group of its own.
  const groupOf = (item: Item) => grouping?.groupOf(item) ?? item;
  const groups = Map.groupBy(items, groupOf);
  return items.flatMap((item) => {
    const group = groups.get(groupOf(item)) ?? [];
    const index = group.indexOf(item);
    if (index >= SHOWN_OF_GROUP) return [];
    return { item, more: index === SHOWN_OF_GROUP - 1 ? group.slice(SHOWN_OF_GROUP) : [] };
  });
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
