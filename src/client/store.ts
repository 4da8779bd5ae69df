import { useSyncExternalStore } from 'react';

type Listener<Change> = (change: Change) => void;

/**
 * State of the tab that several components share.
 * @param onServer what is rendered on the server and while hydrating
 * @param read reads the initial state, when it is first needed
 */
export function createStore<State, Change = void>(onServer: State, read = () => onServer) {
  const listeners = new Set<Listener<Change>>();
  let current: { state: State } | undefined;

  const get = () => {
    current ??= { state: read() };
    return current.state;
  };
  /** Calls back after every change, with the change that was passed to `set`. @returns a function that unsubscribes */
  const subscribe = (listener: Listener<Change>) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get,
    set(state: State, change: Change): void {
      current = { state };
      for (const listener of listeners) listener(change);
    },
    subscribe,
    use: () => useSyncExternalStore(subscribe, get, () => onServer),
  };
}
