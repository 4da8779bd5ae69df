import { type ReactNode, useState } from 'react';
import { passFocusOn } from '../../navigation.ts';
import type { QueuePosition } from './decision-panel.tsx';

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
