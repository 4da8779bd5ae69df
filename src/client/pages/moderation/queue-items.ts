import type { ModerationItem } from '../../../contract/moderation.ts';

/** The unreported reviews of a burst, which are one item of the queue. */
export interface Burst {
  readonly entryId: number;
  readonly reviews: readonly [ModerationItem, ...ModerationItem[]];
  /** How many others of the burst are items of their own, because they were reported. */
  readonly reportedCount: number;
  /** The highest id of all these reviews, the reported ones included: the admin has seen no later ones. */
  readonly upTo: number;
  /** When any of these reviews was last changed. */
  readonly changedAt: string | undefined;
}

/** An item of the queue as the page shows it: a review, or the unreported reviews of a burst. */
export type QueueItem =
  | { readonly key: string; readonly review: ModerationItem; readonly burst?: undefined }
  | { readonly key: string; readonly burst: Burst; readonly review?: undefined };

const isUncontested = ({ reports, appeal }: ModerationItem) => reports.length === 0 && appeal === undefined;

const isOfBurstAlone = (item: ModerationItem) =>
  item.burstEntryId !== undefined && !item.isHidden && isUncontested(item);

/**
 * Whether a review waits although nobody reported it: its author had withdrawn a reported one. Admins are not told so,
 * because that one may name the author of this anonymous one.
 */
export const isUnreported = (item: ModerationItem) =>
  item.openedAt !== undefined &&
  !item.isHidden &&
  !item.isBurst &&
  !item.isEdited &&
  item.earlier.length === 0 &&
  isUncontested(item);

/**
 * Groups the open reviews of each burst into one item, at the position of the first.
 * @param expandedEntryIds the entries whose bursts are shown as single reviews
 */
export function collapseBursts(items: readonly ModerationItem[], expandedEntryIds: ReadonlySet<number>): QueueItem[] {
  const bursts = Map.groupBy(
    items.filter(({ isHidden }) => !isHidden),
    ({ burstEntryId }) => burstEntryId,
  );
  return items.flatMap((review): QueueItem[] => {
    const { reviewId, burstEntryId: entryId } = review;
    const all = bursts.get(entryId) ?? [];
    const [first, ...others] = all.filter(isOfBurstAlone);
    const isCollapsed =
      entryId !== undefined && !expandedEntryIds.has(entryId) && others.length > 0 && isOfBurstAlone(review);
    if (!isCollapsed) return [{ key: String(reviewId), review }];
    if (!first || first !== review) return [];
    const upTo = Math.max(...all.map((one) => one.reviewId));
    const changedAt = all
      .map((one) => one.changedAt)
      .sort()
      .at(-1);
    const reportedCount = all.length - others.length - 1;
    const reviews = [first, ...others] as const;
    return [{ key: `burst-${entryId}`, burst: { entryId, reviews, reportedCount, upTo, changedAt } }];
  });
}
