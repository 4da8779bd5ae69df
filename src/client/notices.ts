import { createStore } from './store.ts';

/** The specification's "alert": shown in the page and announced. It is never the browser's blocking dialog. */
export interface Notice {
  readonly id: number;
  readonly kind: 'success' | 'failure';
  readonly text: string;
  readonly action: NoticeAction | undefined;
  /** The thing that was changed: "user 5". A newer notice about it replaces this one, which may no longer be true. */
  readonly about: string | undefined;
  /** Whether another page was opened since the notice appeared. The next one dismisses it. */
  readonly isOld: boolean;
}

interface NoticeAction {
  readonly label: string;
  readonly run: () => void;
}

/** How many notices are shown at once: a third takes the place of the oldest. */
const SHOWN_MAX = 2;

const NO_NOTICES: readonly Notice[] = [];
const notices = createStore(NO_NOTICES);
let lastId = 0;

function addNotice(kind: Notice['kind'], text: string, about?: string, action?: NoticeAction): void {
  lastId += 1;
  // Two notices with the same text would look like one that cannot be dismissed, so the newer one replaces the older.
  const isReplaced = (notice: Notice) => notice.text === text || (about !== undefined && notice.about === about);
  const others = notices.get().filter((notice) => !isReplaced(notice));
  notices.set([...others, { id: lastId, kind, text, action, about, isOld: false }].slice(-SHOWN_MAX));
}

export const notify = {
  success: (text: string, about?: string, action?: NoticeAction) => addNotice('success', text, about, action),
  failure: (text: string) => addNotice('failure', text),
};

export function dismissNotice(id: number): void {
  notices.set(notices.get().filter((notice) => notice.id !== id));
}

/** Called when another page is opened. Dismisses the notices that were there at the last such navigation already. */
export function recordNavigation(): void {
  const remaining = notices.get().filter(({ isOld }) => !isOld);
  notices.set(remaining.map((notice) => ({ ...notice, isOld: true })));
}

export const newestNoticeId = () => lastId;

/** Makes the notices of a form's new answer replace those of its previous answer. */
export function createNoticeReplacer() {
  let shown = { after: 0, upTo: 0 };
  /**
   * @param since the newest notice before the answer was asked for: the later ones belong to the answer
   * @param replaced the kind of notices to replace. Default: all
   */
  return (since: number, replaced?: Notice['kind']): void => {
    const { after, upTo } = shown;
    shown = { after: since, upTo: lastId };
    const stays = ({ id, kind }: Notice) => id <= after || id > upTo || id > since || kind !== (replaced ?? kind);
    if (!notices.get().every(stays)) notices.set(notices.get().filter(stays));
  };
}

/** The notices on screen, oldest first. */
export const useNotices = notices.use;
