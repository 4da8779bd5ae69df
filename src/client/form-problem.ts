import { useState } from 'react';
import { flushSync } from 'react-dom';
import { countText } from './format.ts';
import { createNoticeReplacer, newestNoticeId, notify } from './notices.ts';

/** An error of a form and, if known, the field that it is about. */
export interface Problem {
  readonly field?: string | undefined;
  readonly text: string;
  /** The specification requires this error as a notice (§5), even if there are other errors. */
  readonly isAlert?: true;
  /** The server reported this error: the form cannot know when the value has become valid. */
  readonly isRefusal?: true;
}

/** The length of a text as the server counts it: without blanks around it, in code points. */
export const lengthOf = (text: string) => [...text.trim().normalize('NFC')].length;

/** By how many characters a text is too long. */
export function excessOf(text: string, max: number | undefined): number {
  return max === undefined || text.length <= max ? 0 : Math.max(0, lengthOf(text) - max);
}

/** The errors of fields whose texts are longer than their `data-max`. `maxlength` would cut what is pasted. */
export function findExcess(form: HTMLFormElement): Problem[] {
  return [...form.elements].flatMap((field) => {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return [];
    const excess = field.dataset.max ? excessOf(field.value, Number(field.dataset.max)) : 0;
    return excess > 0 ? [{ field: field.name, text: `Shorten the text by ${countText(excess, 'character')}.` }] : [];
  });
}

/** Focuses the first field with an error, or the first field of the form if no error names one. */
function focusProblem(form: HTMLFormElement, problems: readonly Problem[]): void {
  const named = problems.map(({ field }) => field && form.elements.namedItem(field));
  // Several radio buttons have one name.
  const fields = named.map((field) => (field instanceof RadioNodeList ? field[0] : field));
  const target = fields.find((field) => field instanceof HTMLElement) ?? form.querySelector('input, textarea');
  if (target instanceof HTMLElement) target.focus();
}

/** Shows all errors of a form: each beside its field, those without a field above the form. It also shows a notice. */
export function useFormProblem() {
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [replaceNotices] = useState(createNoticeReplacer);

  /** @param form if given, its first field with an error takes the focus */
  function show(found: readonly Problem[], form?: HTMLFormElement): void {
    // The errors are rendered before the focus moves: a field with an error opens the disclosure that it is in.
    flushSync(() => setProblems(found));
    const since = newestNoticeId();
    const alerts = found.filter(({ isAlert }) => isAlert);
    for (const { text } of alerts.length > 0 ? alerts : found.slice(0, 1)) notify.failure(text);
    replaceNotices(since);
    if (form) focusProblem(form, found);
  }

  /**
   * The error of a field, by its name in the form, which is also its name in the call. Without a name: the error that
   * concerns no field.
   */
  const errorOf = (field?: string) => problems.find((problem) => problem.field === field)?.text ?? null;

  return {
    show,
    clear: () => setProblems([]),
    replaceNotices,
    /**
     * Removes the errors of fields that have become valid, and replaces those that no longer say what is wrong.
     * @param changed the field that was changed
     * @param found the remaining validation errors
     */
    recheck: (changed: string, found: readonly Problem[]) =>
      setProblems((current) =>
        current.flatMap((problem) => {
          const { field, isRefusal } = problem;
          if (field === undefined) return problem;
          if (isRefusal) return field === changed ? [] : problem;
          return found.find((one) => one.field === field) ?? [];
        }),
      ),
    errorOf,
    /** The name of a field, and its error. */
    field: (name: string) => ({ name, error: errorOf(name) }),
  };
}

export type FormProblem = ReturnType<typeof useFormProblem>;

/** The value of a field in a submitted form. */
export function readField(form: HTMLFormElement, name: string): string {
  return String(new FormData(form).get(name) ?? '');
}

/** The error of a reason that is too short, in a field called "reason". */
export const shortReasonProblems = (reason: string, min: number): Problem[] =>
  [...reason].length < min ? [{ text: `Please give a reason of at least ${min} characters.`, field: 'reason' }] : [];

/** The error of a password that was not typed. */
export const missingPasswordProblems = (password: string): Problem[] =>
  password ? [] : [{ text: 'Please enter your password.', field: 'password' }];

/** A ref that focuses its element as soon as that is rendered. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
