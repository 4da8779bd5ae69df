import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** Whether the page runs in a browser; on the server it is drawn once, and nothing in it can be measured. */
export function useIsLive(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
