import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getReports, type ItemState, type ModerationItem } from '../../../contract/moderation.ts';
import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { REASONS } from '../../../contract/reasons.ts';
import { pagedQuery } from '../../api.ts';
import { Breadcrumb } from '../../components/breadcrumb.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { usePageQuery } from '../../page-reads.ts';
import { DeletedList } from './deleted-list.tsx';
import { ItemPanel } from './item-panel.tsx';

/** What the page shows: a list of the queue, or what can be brought back. */
const VIEWS: readonly { view: ItemState | 'deleted'; label: string }[] = [
  { view: 'open', label: 'Open' },
  { view: 'closed', label: 'Closed' },
  { view: 'deleted', label: 'Recently deleted' },
];

const itemsQuery = (state: ItemState) => pagedQuery(getReports, { query: { state } });

/** What readers report, to be decided one after the other, the oldest first; and what was deleted. */
export function Component() {
  const { state } = usePageQuery();
  const view = VIEWS.find((one) => one.view === state)?.view ?? 'open';
  const [hasKeys, setHasKeys] = useState(true);
  return (
    <div className="page grid gap-6 pt-4 pb-10">
      <div>
        <Breadcrumb trail={[{ label: PAGES.adminUsers.title, to: PAGES.adminUsers.path }]} />
        <PageHeading>{PAGES.moderation.title}</PageHeading>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <nav aria-label="Lists" className="flex flex-wrap gap-3">
          {VIEWS.map(({ view: one, label }) => (
            <PageLink
              key={one}
              to={pageAddress(PAGES.moderation, undefined, one === 'open' ? {} : { state: one })}
              aria-current={one === view ? 'page' : undefined}
              className="button button-quiet aria-[current]:border-brand aria-[current]:bg-brand-soft"
            >
              {label}
            </PageLink>
          ))}
        </nav>
        {view !== 'deleted' && (
          <Checkbox label="Keyboard shortcuts" checked={hasKeys} onChange={() => setHasKeys(!hasKeys)} />
        )}
      </div>
      {view === 'deleted' ? <DeletedList /> : <Items key={view} state={view} hasKeys={hasKeys} />}
    </div>
  );
}

function Items({ state, hasKeys }: { state: ItemState; hasKeys: boolean }) {
  const query = useInfiniteQuery(itemsQuery(state));
  return (
    <PagedList query={query} loading="Loading..." empty="Nothing to look at." failed="The reports could not be loaded.">
      {(items) => <Queue items={items} isOpen={state === 'open'} hasKeys={hasKeys} />}
    </PagedList>
  );
}

interface QueueProps {
  items: readonly ModerationItem[];
  isOpen: boolean;
  hasKeys: boolean;
}

/** One item is open at a time. On wide screens the list is beside it. */
function Queue({ items, isOpen, hasKeys }: QueueProps) {
  const [chosenId, setChosenId] = useState<number>();
  const found = items.findIndex(({ reviewId }) => reviewId === chosenId);
  const index = Math.max(0, found);
  const item = items[index];
  if (!item) return null;
  const next = items[(index + 1) % items.length];
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[22rem_1fr]">
      <ul className="hidden max-h-[70dvh] overflow-y-auto border-t border-line lg:block">
        {items.map((one) => (
          <li key={one.reviewId} className="border-b border-line">
            <button
              type="button"
              aria-current={one === item || undefined}
              className="grid min-h-15 w-full gap-0.5 p-3 text-left aria-[current]:bg-brand-soft"
              onClick={() => setChosenId(one.reviewId)}
            >
              <span className="font-semibold">{summaryOf(one)}</span>
              <span className="text-sm text-ink-soft wrap-anywhere">
                {one.entryName} · {one.schoolName}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <ItemPanel
        key={item.reviewId}
        item={item}
        isOpen={isOpen}
        position={`${index + 1} of ${items.length}`}
        hasKeys={hasKeys}
        takesFocus={chosenId !== undefined}
        onNext={() => setChosenId(next?.reviewId)}
      />
    </div>
  );
}

/** "It is fake · 3 reports", "Appeal". */
function summaryOf({ reports, appeal, isBurst, isHidden }: ModerationItem): string {
  const [first] = reports;
  const amount = reports.length === 1 ? '1 report' : `${reports.length} reports`;
  const said = first ? `${REASONS[first.reason]} · ${amount}` : undefined;
  return [appeal && 'Appeal', isBurst && 'Burst', said].filter(Boolean).join(' · ') || (isHidden ? 'Hidden' : 'Shown');
}
