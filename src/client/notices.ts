import { useSyncExternalStore } from 'react';

/** What the specification calls an alert: shown in the page, announced, never the browser's blocking dialog. */
export interface Notice {
  readonly id: number;
  readonly kind: 'success' | 'failure';
  readonly text: string;
}

const listeners = new Set<() => void>();
let notices: readonly Notice[] = [];
let lastId = 0;

function change(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

function add(kind: Notice['kind'], text: string): void {
  lastId += 1;
  // The same words twice would read as one notice that never goes: the newer one takes its place.
  change([...notices.filter((notice) => notice.text !== text), { id: lastId, kind, text }]);
}

/** Shows a notice; it outlives the navigation that follows. */
export const notify = {
  success: (text: string) => add('success', text),
  failure: (text: string) => add('failure', text),
};

export function dismissNotice(id: number): void {
  change(notices.filter((notice) => notice.id !== id));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The notices that have not been dismissed, oldest first. */
export function useNotices(): readonly Notice[] {
  return useSyncExternalStore(
    subscribe,
    () => notices,
    () => notices,
  );
}
