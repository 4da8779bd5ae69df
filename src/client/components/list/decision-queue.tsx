import { Fragment, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { focusPage } from '../../navigation.ts';
import type { QueuePosition } from './decision-panel.tsx';

interface DecisionQueueProps<Item> {
  items: readonly Item[];
  idOf: (item: Item) => number;
  /** One line in bold, and one below it. */
  summaryOf: (item: Item) => readonly [title: string, detail: string];
  /** Default: every item has a line of its own. */
  grouping?: Grouping<Item>;
  children: (item: Item, position: QueuePosition) => ReactNode;
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
  const queue = useRef<HTMLDivElement>(null);
  const [chosenId, setChosenId] = useState<number>();
  const index = Math.max(
    0,
    items.findIndex((item) => idOf(item) === chosenId),
  );
  const item = items[index];
  const next = items[(index + 1) % items.length];

  useLayoutEffect(() => {
    const element = queue.current;
    return () => {
      // The last item is decided: with the queue, the focused element goes.
      if (element?.contains(document.activeElement)) focusPage();
    };
  }, []);

  if (!item) return null;

  function line(one: Item): ReactNode {
    const [title, detail] = summaryOf(one);
    return (
      <li key={idOf(one)} className="border-b border-line last:border-b-0">
        <button
          type="button"
          aria-current={one === item || undefined}
          className="grid min-h-15 w-full gap-0.5 p-3 text-left aria-[current]:bg-brand-soft"
          onClick={() => setChosenId(idOf(one))}
        >
          <span className="font-semibold wrap-anywhere">{title}</span>
          <span className="text-sm text-ink-soft wrap-anywhere">{detail}</span>
        </button>
      </li>
    );
  }

  return (
    <div ref={queue} className="grid items-start gap-6 lg:grid-cols-[22rem_1fr]">
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
        label: `${index + 1} of ${items.length}`,
        takesFocus: chosenId !== undefined,
        onNext: () => setChosenId(next && idOf(next)),
      })}
    </div>
  );
}

/** How many items of a group have lines of their own. */
const SHOWN_OF_GROUP = 3;

/** The items to list, in order: of a large group only the first ones, of which the last has the others in `more`. */
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
