import { createStore } from './store.ts';

/** The specification's "alert": shown in the page and announced. It is never the browser's blocking dialog. */
export interface Notice {
  readonly id: number;
  readonly kind: 'success' | 'failure';
  readonly text: string;
  readonly action: NoticeAction | undefined;
}

/** An action that a notice offers, such as Undo. */
interface NoticeAction {
  readonly label: string;
  readonly run: () => void;
}

const NONE: readonly Notice[] = [];
const notices = createStore(() => NONE, NONE);
let lastId = 0;

function add(kind: Notice['kind'], text: string, action?: NoticeAction): void {
  lastId += 1;
  // Two notices with the same text would look like one that cannot be dismissed, so the newer one replaces the older.
  notices.set([...notices.get().filter((notice) => notice.text !== text), { id: lastId, kind, text, action }]);
}

/** Shows a notice, which stays visible across a navigation. */
export const notify = {
  success: (text: string, action?: NoticeAction) => add('success', text, action),
  failure: (text: string) => add('failure', text),
};

export function dismissNotice(id: number): void {
  notices.set(notices.get().filter((notice) => notice.id !== id));
}

/** The notices that have not been dismissed, oldest first. */
export const useNotices = notices.use;
