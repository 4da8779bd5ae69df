import { useState } from 'react';
import { flushSync } from 'react-dom';
import { failureText, refusedField } from './api.ts';
import { notify } from './notices.ts';

/** An error of a form and, if known, the field that it is about. */
export interface Problem {
  readonly field?: string | undefined;
  readonly text: string;
  /** The specification wants this error as a notice (§5), even if there are others. */
  readonly isAlert?: true;
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

  /** @param form its first field with an error takes the focus; without it the focus stays */
  function tell(found: readonly Problem[], form?: HTMLFormElement): void {
    // Rendered before the focus moves: a field with an error opens the disclosure that it is in.
    flushSync(() => setProblems(found));
    const alerts = found.filter(({ isAlert }) => isAlert);
    for (const { text } of alerts.length > 0 ? alerts : found.slice(0, 1)) notify.failure(text);
    if (form) focusProblem(form, found);
  }

  return {
    tell,
    /** Shows the failure of a call beside the field that the server names. */
    fail: (error: unknown, prefix: string, form?: HTMLFormElement) =>
      tell([{ text: failureText(error, prefix), field: refusedField(error) }], form),
    clear: () => setProblems([]),
    /**
     * The error of a field, by its name in the form, which is also its name in the call. Without a name: the error that
     * concerns no field.
     */
    of: (field?: string) => problems.find((problem) => problem.field === field)?.text ?? null,
  };
}

export type FormProblem = ReturnType<typeof useFormProblem>;

/** The value of a field in a submitted form. */
export function readField(form: HTMLFormElement, name: string): string {
  return String(new FormData(form).get(name) ?? '');
}

/** As a ref: gives an element the focus as soon as it is rendered. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
