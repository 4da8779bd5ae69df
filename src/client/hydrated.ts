import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** True once the page is hydrated; false on the server and while hydrating, where nothing can be measured. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
