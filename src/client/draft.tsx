import { type ChangeEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { actionKey, useResumed } from './begun.ts';
import { readSession, useOwner } from './session.ts';
import { EARLIER_SUFFIX, forget, keep, type Owner, readKept, useKept } from './tab-memory.ts';

/** The values of a form's fields. None of them may be a password or a code. */
type Values = object;

/** The names of the values that are texts. */
type TextsOf<V extends Values> = { [Name in keyof V]: string extends V[Name] ? Name : never }[keyof V];

/** Replaces values by kept ones of the same name and type: an earlier release may have kept others. */
function restoreValues<V extends Values>(kept: unknown, start: V): V {
  if (typeof kept !== 'object' || kept === null) return start;
  const known = Object.entries(kept).filter(
    ([name, value]) => name in start && typeof value === typeof start[name as keyof V],
  );
  return { ...start, ...Object.fromEntries(known) };
}

const isSame = <V extends Values>(one: V, other: V) =>
  Object.entries(one).every(([name, value]) => value === other[name as keyof V]);

/** Forgets the draft of a form. The earlier one, if any, takes its place. */
function discard(owner: Owner, key: string): void {
  const earlierKey = key + EARLIER_SUFFIX;
  const earlier = readKept(owner, earlierKey);
  forget(owner, key);
  if (earlier === undefined) return;
  keep(owner, key, earlier);
  discard(owner, earlierKey);
}

/** Whether there is a draft of a form: the form is then opened. */
export const useHasDraft = (form: string) => useKept(useOwner(), actionKey(useLocation().pathname, form)) !== undefined;

/**
 * The text typed into a form. It is kept for its owner until it is sent, and outlives a reload, other pages and the way
 * to the login page.
 * @param form names the form on its page
 * @param start the values of the untouched form
 */
export function useDraft<V extends Values>(form: string, start: V) {
  const key = actionKey(useLocation().pathname, form);
  const owner = useOwner();
  const kept = useKept(owner, key);
  const earlierKey = key + EARLIER_SUFFIX;
  // A draft from before the owner's session ended, displaced by the text typed before the next login.
  const hasEarlier = useKept(owner, earlierKey) !== undefined;
  // True once something was typed into a form that was opened without a draft.
  const [isNew, setNew] = useState(false);
  const values = restoreValues(kept, start);
  const isLocked = useRef(false);

  function change(part: Partial<V>): void {
    if (isLocked.current) return;
    // A key can be pressed before the page is rendered with the session: `owner` is then still that of a visitor.
    const author = owner ?? readSession()?.userId ?? null;
    const before = readKept(author, key);
    if (before === undefined) setNew(true);
    const changed = { ...restoreValues(before, start), ...part };
    if (isSame(changed, start) && !hasEarlier) forget(author, key);
    else keep(author, key, changed);
  }

  return {
    form,
    values,
    change,
    /** The props of a field for a text. */
    text: (name: TextsOf<V>) => ({
      value: String(values[name]),
      onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        // Safe: the value of this field is a text.
        change({ [name]: target.value } as Partial<V>),
    }),
    /** Whether the form was opened with what had been typed before. */
    isRestored: kept !== undefined && (hasEarlier || !isNew),
    hasEarlier,
    /** Swaps the draft and the earlier one. */
    swap(): void {
      const [current, earlier] = [readKept(owner, key), readKept(owner, earlierKey)];
      if (isLocked.current || earlier === undefined) return;
      keep(owner, earlierKey, current);
      keep(owner, key, earlier);
    },
    /**
     * Refuses or allows changes. The draft is forgotten when the form has been sent: what was typed meanwhile would be
     * lost.
     */
    lock(locked: boolean): void {
      isLocked.current = locked;
    },
    discard(): void {
      setNew(false);
      discard(owner, key);
    },
  };
}

export type FormDraft<V extends Values = Values> = Pick<
  ReturnType<typeof useDraft<V>>,
  'form' | 'isRestored' | 'hasEarlier' | 'swap' | 'lock' | 'discard'
>;

interface DraftNoteProps {
  draft: FormDraft;
  /** False while the page may still move or replace the form, which then does not take the focus. */
  isSettled?: boolean;
  /** Called when the author has come back from a login that was needed to send the form. */
  onReturn?: () => void;
  /** True while another form is in use, which has a note of its own. */
  hidesNote?: boolean;
  /** Called when the draft is discarded, for a form that is then closed. Default: the first field takes the focus. */
  onDiscard?: (() => void) | undefined;
}

/** Says in a form that its draft is restored. After a login, the form's submit button takes the focus. */
export function DraftNote({ draft, isSettled = true, onReturn, hidesNote = false, onDiscard }: DraftNoteProps) {
  const note = useRef<HTMLDivElement>(null);
  const { isRestored } = draft;
  const isShown = isRestored && !hidesNote;

  useResumed((action) => {
    if (action !== draft.form) return false;
    const form = isRestored && note.current?.closest('form');
    if (form) {
      onReturn?.();
      const submit = form.querySelector<HTMLElement>('button[type=submit]');
      submit?.scrollIntoView({ block: 'center' });
      submit?.focus({ preventScroll: true });
    }
    return true;
  }, isSettled);

  function discard(): void {
    draft.discard();
    if (onDiscard) onDiscard();
    else note.current?.closest('form')?.querySelector<HTMLElement>('input, textarea')?.focus();
  }

  return (
    <div ref={note} role="status" className={isShown ? 'flex flex-wrap items-center gap-x-4' : 'hidden'}>
      {isShown && (
        <>
          <span className="text-ink-soft">Your draft is back.</span>
          <button type="button" className="text-button" onClick={discard}>
            Discard
          </button>
          {draft.hasEarlier && (
            <button type="button" className="text-button" onClick={draft.swap}>
              Show your other draft
            </button>
          )}
        </>
      )}
    </div>
  );
}
