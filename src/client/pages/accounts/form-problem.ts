import { useState } from 'react';
import { failureText, refusedField } from '../../api.ts';
import { notify } from '../../notices.ts';

/** What is wrong, and with which field if that is known. */
interface Problem {
  field: string | undefined;
  text: string;
}

/** Tells of a problem twice: as a notice, and beside the field it belongs to. */
export function useFormProblem() {
  const [problem, setProblem] = useState<Problem | null>(null);
  function report(text: string, field?: string): void {
    setProblem({ field, text });
    notify.failure(text);
  }
  return {
    report,
    /** Tells of a failed call, beside the field that the server names. */
    fail: (error: unknown, prefix: string) => report(failureText(error, prefix), refusedField(error)),
    clear: () => setProblem(null),
    /** The text for one field, by its name in the form, which is its name in the call. */
    of: (field: string) => (problem?.field === field ? problem.text : null),
  };
}

/** A field of a submitted form as text. */
export function readField(form: HTMLFormElement, name: string): string {
  return String(new FormData(form).get(name) ?? '');
}
