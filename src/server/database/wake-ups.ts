import { notifyListener } from './change-log.ts';
import { EVERYTHING } from './change-tags.ts';
import type { ChangeListener } from './database.ts';
import { CHANNEL } from './heartbeat.ts';

/** PostgreSQL orders notifications under one lock for the whole cluster, so each process sends few. */
const SEND_EVERY_MS = 10;

const WAKE_UP = '';

/**
 * Makes the other processes read the log. Processes of 0.3.0 and before have no log: to them the second notification
 * announces an unknown change, and they invalidate everything. The next release sends the first one alone.
 */
export const SEND_WAKE_UP = `select pg_notify('${CHANNEL}', '${WAKE_UP}'), pg_notify('${CHANNEL}', '${EVERYTHING}')`;

/**
 * Wakes up the other processes after commits: at once, but at most every 10 ms.
 * @param send sends one wake-up, in a transaction of its own
 */
export function createWakeUps(send: () => Promise<unknown>) {
  let pause: NodeJS.Timeout | undefined;
  let isDue = false;
  let sending: Promise<unknown> = Promise.resolve();

  function sendNow(): void {
    isDue = false;
    // If a wake-up is lost, the other processes are late by a second at most, because they also poll the log.
    sending = send().catch(() => {});
  }

  function wake(): void {
    isDue = true;
    if (pause) return;
    sendNow();
    pause = setTimeout(() => {
      pause = undefined;
      if (isDue) wake();
    }, SEND_EVERY_MS).unref();
  }

  return {
    wake,
    /** Sends a pending wake-up. Resolves when it is sent. */
    async close(): Promise<void> {
      clearTimeout(pause);
      if (isDue) sendNow();
      await sending;
    },
  };
}

/**
 * Distinguishes wake-ups from the announcements of 0.3.0 and before, which contain the tags of a change. The two
 * notifications of a wake-up arrive one right after the other, from the same backend. The next release needs only
 * `onWakeUp`.
 */
export function handleNotifications(
  onWakeUp: () => void,
  listener: Pick<ChangeListener, 'onTags' | 'onUnknownChange'>,
): (payload: string, backend: number) => void {
  let wokenBy: number | undefined;
  return (payload, backend) => {
    if (payload === WAKE_UP) {
      wokenBy = backend;
      onWakeUp();
      return;
    }
    const isPartOfWakeUp = payload === EVERYTHING && backend === wokenBy;
    wokenBy = undefined;
    if (!isPartOfWakeUp) notifyListener(payload, listener);
  };
}
