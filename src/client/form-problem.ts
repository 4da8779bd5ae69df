import { useState } from 'react';
import { failureText, refusedField } from './api.ts';
import { notify } from './notices.ts';

/** What is wrong with a form, and with which of its fields if that is known. */
export interface Problem {
  readonly field?: string | undefined;
  readonly text: string;
  /** One that the specification wants as a notice (§5), however many others there are. */
  readonly isAlert?: true;
}

/** Puts the focus on the first field that a problem is about; on the form's first when none of them names one. */
function focusProblem(form: HTMLFormElement, problems: readonly Problem[]): void {
  const named = problems.map(({ field }) => field && form.elements.namedItem(field));
  const target = named.find((field) => field instanceof HTMLElement) ?? form.querySelector('input, textarea');
  if (target instanceof HTMLElement) target.focus();
}

/** Shows all problems of a form: each beside its field, those without a field above the form. Raises a notice too. */
export function useFormProblem() {
  const [problems, setProblems] = useState<readonly Problem[]>([]);

  /** @param form where the focus goes to the first field in question; without it the focus stays */
  function tell(found: readonly Problem[], form?: HTMLFormElement): void {
    setProblems(found);
    const alerts = found.filter(({ isAlert }) => isAlert);
    for (const { text } of alerts.length > 0 ? alerts : found.slice(0, 1)) notify.failure(text);
    if (form) focusProblem(form, found);
  }

  return {
    tell,
    /** Tells of a failed call, beside the field that the server names. */
    fail: (error: unknown, prefix: string, form?: HTMLFormElement) =>
      tell([{ text: failureText(error, prefix), field: refusedField(error) }], form),
    clear: () => setProblems([]),
    /** The text for one field, by its name in the form, which is its name in the call; without a name that of none. */
    of: (field?: string) => problems.find((problem) => problem.field === field)?.text ?? null,
  };
}

export type FormProblem = ReturnType<typeof useFormProblem>;

/** A field of a submitted form as text. */
export function readField(form: HTMLFormElement, name: string): string {
  return String(new FormData(form).get(name) ?? '');
}
