import type { FastifyBaseLogger } from 'fastify';
import type { ChangeListener } from '../../database/database.ts';
import type { Subscription } from '../health.ts';
import { recordPosition } from './own-writes.ts';
import type { ResponseCache } from './response-cache.ts';

/** Derived data that must be told when the database changes. */
type ChangeSubscriber = Pick<ChangeListener, 'onTags' | 'onUnknownChange'>;

/** The changes of this process and of others, announced by the database. */
export type Changes = ReturnType<typeof createChanges>;

/**
 * Passes changes on to the cache and to every subscriber. While the changes of other processes do not arrive, nothing is
 * cached, because a response could be stale.
 */
export function createChanges(cache: ResponseCache, log: FastifyBaseLogger) {
  const subscribers: ChangeSubscriber[] = [{ onTags: cache.invalidate, onUnknownChange: cache.invalidateAll }];
  const subscription: Subscription = { isActive: true, losses: 0, followedAt: undefined };
  function markAllChanged(): void {
    for (const subscriber of subscribers) subscriber.onUnknownChange();
  }

  return {
    subscription,
    follow: (subscriber: ChangeSubscriber) => void subscribers.push(subscriber),
    listener: {
      onTags(tags, position) {
        recordPosition(position);
        for (const subscriber of subscribers) subscriber.onTags(tags);
      },
      onUnknownChange: markAllChanged,
      onSubscribed() {
        cache.setSubscribed(true);
        markAllChanged();
        if (!subscription.isActive) log.info({ event: 'subscribed' }, 'changes of other processes arrive again');
        subscription.isActive = true;
      },
      onFollowed() {
        subscription.followedAt = performance.now();
      },
      onUnsubscribed(reason) {
        subscription.isActive = false;
        subscription.losses += 1;
        cache.setSubscribed(false);
        log.warn({ event: 'unsubscribed', reason }, 'changes of other processes do not arrive: caching is off');
      },
    } satisfies ChangeListener,
  };
}
