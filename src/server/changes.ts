import type { FastifyBaseLogger } from 'fastify';
import type { ResponseCache } from './cache/response-cache.ts';
import type { ChangeListener } from './database/database.ts';
import type { Subscription } from './http/health.ts';

/** Something made from the database, which must know when that changes. */
type Follower = Pick<ChangeListener, 'onTags' | 'onUnknownChange'>;

/** The changes of this process and of others, as the database announces them. */
export interface Changes {
  readonly listener: ChangeListener;
  readonly subscription: Readonly<Subscription>;
  follow(follower: Follower): void;
}

/**
 * Passes changes on to the cache and to every follower. While those of other processes do not arrive, nothing is cached:
 * a response could be stale for as long as that lasts.
 */
export function createChanges(cache: ResponseCache, log: FastifyBaseLogger): Changes {
  const followers: Follower[] = [{ onTags: cache.invalidate, onUnknownChange: cache.invalidateAll }];
  const subscription: Subscription = { isActive: true, losses: 0 };
  function markAllChanged(): void {
    for (const follower of followers) follower.onUnknownChange();
  }

  return {
    subscription,
    follow: (follower) => void followers.push(follower),
    listener: {
      onTags(tags) {
        for (const follower of followers) follower.onTags(tags);
      },
      onUnknownChange: markAllChanged,
      onSubscribed() {
        cache.setSubscribed(true);
        markAllChanged();
        if (!subscription.isActive) log.info({ event: 'subscribed' }, 'changes of other processes arrive again');
        subscription.isActive = true;
      },
      onUnsubscribed(reason) {
        subscription.isActive = false;
        subscription.losses += 1;
        cache.setSubscribed(false);
        log.warn({ event: 'unsubscribed', reason }, 'changes of other processes do not arrive: caching is off');
      },
    },
  };
}
