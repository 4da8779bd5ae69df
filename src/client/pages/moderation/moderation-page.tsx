import { useState } from 'react';
import { getReports, type ItemState, type ModerationItem } from '../../../contract/moderation.ts';
import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { REASONS } from '../../../contract/reasons.ts';
import { Checkbox } from '../../components/form/fields.tsx';
import { PageLink } from '../../components/layout/page-link.tsx';
import { DecisionQueue } from '../../components/list/decision-panel.tsx';
import { PagedList } from '../../components/list/paged-list.tsx';
import { countText } from '../../format.ts';
import { usePagedRead, usePageQuery } from '../../page.ts';
import { AdminPage } from '../../shared/admin/admin-page.tsx';
import { BurstPanel } from './burst-panel.tsx';
import { DeletedList } from './deleted-list.tsx';
import { ItemPanel } from './item-panel.tsx';
import { collapseBursts, isUnreported, type QueueItem } from './queue-items.ts';

/** The views of the page: the lists of the queue, and the deleted records. */
const VIEWS: readonly { view: ItemState | 'deleted'; label: string }[] = [
  { view: 'open', label: 'Open' },
  { view: 'closed', label: 'Closed' },
  { view: 'deleted', label: 'Recently deleted' },
];

const idOf = ({ key }: QueueItem) => key;

/** Reported reviews, to be decided one after the other, the oldest first; and deleted schools and entries. */
export function Component() {
  const { state } = usePageQuery();
  const view = VIEWS.find((one) => one.view === state)?.view ?? 'open';
  const [hasKeys, setHasKeys] = useState(true);
  return (
    <AdminPage heading={PAGES.moderation.title}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <nav aria-label="Lists" className="flex flex-wrap gap-2 sm:gap-3">
          {VIEWS.map(({ view: one, label }) => (
            <PageLink
              key={one}
              to={pageAddress(PAGES.moderation, undefined, one === 'open' ? {} : { state: one })}
              aria-current={one === view ? 'page' : undefined}
              className="button button-quiet max-sm:px-3 aria-[current]:border-brand aria-[current]:bg-brand-soft"
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
    </AdminPage>
  );
}

function Items({ state, hasKeys }: { state: ItemState; hasKeys: boolean }) {
  const query = usePagedRead(getReports, { query: { state } });
  const [expandedEntryIds, setExpandedEntryIds] = useState<ReadonlySet<number>>(new Set());
  const isOpen = state === 'open';
  const collapse = (items: readonly ModerationItem[]): QueueItem[] =>
    isOpen
      ? collapseBursts(items, expandedEntryIds)
      : items.map((review) => ({ key: String(review.reviewId), review }));

  function summaryOf({ review, burst }: QueueItem): readonly [string, string] {
    const { entryName, schoolName } = burst ? burst.reviews[0] : review;
    const detail = `${entryName} · ${schoolName}`;
    if (burst) return [withAge([`Burst · ${countText(burst.reviews.length, 'review')}`], burst.reviews[0]), detail];
    return [isOpen ? withAge(reasonTexts(review), review) : decidedText(review), detail];
  }
  return (
    <PagedList query={query} empty="Nothing to look at." failed="The reports could not be loaded.">
      {(items) => (
        <DecisionQueue items={collapse(items)} idOf={idOf} summaryOf={summaryOf} hasKeys={hasKeys}>
          {({ key, review, burst }, position) =>
            burst ? (
              <BurstPanel
                key={key}
                burst={burst}
                position={position}
                onLook={() => {
                  setExpandedEntryIds((ids) => new Set(ids).add(burst.entryId));
                  position.onShow(String(burst.reviews[0].reviewId));
                }}
              />
            ) : (
              <ItemPanel key={key} item={review} isOpen={isOpen} position={position} />
            )
          }
        </DecisionQueue>
      )}
    </PagedList>
  );
}

const DAY_MS = 24 * 60 * 60_000;

/** How long somebody has waited: "today", "1 day", "12 days". */
function ageText(since: string): string {
  const days = Math.floor((Date.now() - Date.parse(since)) / DAY_MS);
  return days < 1 ? 'today' : countText(days, 'day');
}

/** Why an item is here: "It is fake · 3 reports", "Appeal". */
function reasonTexts(item: ModerationItem): string[] {
  const {
    reports: [first, ...others],
    appeal,
    isBurst,
    isEdited,
  } = item;
  return [
    ...(isUnreported(item) ? ['Not reported'] : []),
    ...(appeal ? ['Appeal'] : []),
    ...(isBurst ? ['Burst'] : []),
    ...(isEdited ? ['Edited'] : []),
    ...(first ? [REASONS[first.reason], countText(1 + others.length, 'report')] : []),
  ];
}

/** "It is fake · 3 reports · 2 days", "Appeal · today". */
function withAge(words: readonly string[], { openedAt }: ModerationItem): string {
  return [...words, ...(openedAt ? [ageText(openedAt)] : [])].join(' · ');
}

/** "Hidden · It is fake · 3 reports", "Shown". */
function decidedText(item: ModerationItem): string {
  return [item.isHidden ? 'Hidden' : 'Shown', ...reasonTexts(item)].join(' · ');
}
