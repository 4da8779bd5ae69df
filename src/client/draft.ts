import { type ChangeEvent, useRef, useState } from 'react';
import { useActionKey } from './begun.ts';
import { useOwner } from './session.ts';
import { forget, keep, readKept, useKept } from './tab-memory.ts';

/** The values of a form's fields. None of them may be a password or a code. */
type Values = object;

/** The names of the values that are texts. */
type TextsOf<V extends Values> = { [Name in keyof V]: string extends V[Name] ? Name : never }[keyof V];

/** Replaces values by kept ones of the same name and type: an earlier version of the product may have kept others. */
function restoreValues<V extends Values>(kept: unknown, start: V): V {
  if (typeof kept !== 'object' || kept === null) return start;
  const known = Object.entries(kept).filter(
    ([name, value]) => name in start && typeof value === typeof start[name as keyof V],
  );
  return { ...start, ...Object.fromEntries(known) };
}

const isSame = <V extends Values>(one: V, other: V) =>
  Object.entries(one).every(([name, value]) => value === other[name as keyof V]);

/**
 * What is typed into a form. It is kept for its owner until it is sent, and outlives a reload, other pages and the way
 * to the login page.
 * @param form names the form on its page
 * @param start the values of the untouched form
 */
export function useDraft<V extends Values>(form: string, start: V) {
  const key = useActionKey(form);
  const owner = useOwner();
  const kept = useKept(owner, key);
  // True once something was typed into a form that was opened without a draft.
  const [isNew, setNew] = useState(false);
  const values = restoreValues(kept, start);
  const isLocked = useRef(false);

  function change(part: Partial<V>): void {
    if (isLocked.current) return;
    const before = readKept(owner, key);
    if (before === undefined) setNew(true);
    const changed = { ...restoreValues(before, start), ...part };
    if (isSame(changed, start)) forget(owner, key);
    else keep(owner, key, changed);
  }

  return {
    form,
    key,
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
    isRestored: kept !== undefined && !isNew,
    /**
     * Refuses or allows changes. While the form is being sent it must not change: the draft is forgotten once it was
     * sent, and what was typed meanwhile would be lost with it.
     */
    lock(locked: boolean): void {
      isLocked.current = locked;
    },
    discard(): void {
      setNew(false);
      forget(owner, key);
    },
  };
}

export type FormDraft<V extends Values = Values> = Pick<
  ReturnType<typeof useDraft<V>>,
  'form' | 'key' | 'isRestored' | 'lock' | 'discard'
>;
