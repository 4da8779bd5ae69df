import { passOn } from './change-log.ts';
import { EVERYTHING } from './change-tags.ts';
import type { ChangeListener } from './database.ts';
import { CHANNEL } from './heartbeat.ts';

/** PostgreSQL puts notifications into order under one lock of the whole cluster, so each process sends few. */
const SEND_EVERY_MS = 10;

const WAKE_UP = '';

/**
 * Tells the others to read the log. Processes of 0.3.0 and before read no log: they take the second notification for
 * the announcement of any change, and invalidate everything. The next release sends the first one alone.
 */
export const SEND_WAKE_UP = `select pg_notify('${CHANNEL}', '${WAKE_UP}'), pg_notify('${CHANNEL}', '${EVERYTHING}')`;

/** Wakes the other processes up after commits, the first time at once, and again at most every 10 ms. */
interface WakeUps {
  wake(): void;
  /** Resolves when the last one is sent. */
  close(): Promise<void>;
}

/** @param send sends one, in a transaction of its own */
export function createWakeUps(send: () => Promise<unknown>): WakeUps {
  let pause: NodeJS.Timeout | undefined;
  let isDue = false;
  let sending: Promise<unknown> = Promise.resolve();

  function sendNow(): void {
    isDue = false;
    // One that is lost costs the others at most a second, because they read the log by themselves.
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
    async close() {
      clearTimeout(pause);
      if (isDue) sendNow();
      await sending;
    },
  };
}

/**
 * Tells wake-ups from the announcements of 0.3.0 and before, which carry the tags of a change. Both notifications of a
 * wake-up come one right after the other and from the same backend. The next release needs only `onWakeUp`.
 */
export function hearNotifications(
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
    const isOfWakeUp = payload === EVERYTHING && backend === wokenBy;
    wokenBy = undefined;
    if (!isOfWakeUp) passOn(payload, listener);
  };
}
