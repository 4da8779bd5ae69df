import { useState } from 'react';
import { notify } from '../../notices.ts';

/** What is wrong, and with which field if that is known. */
interface Problem {
  field: string | undefined;
  text: string;
}

const FIELD_WORDS = ['username', 'email', 'passcode', 'password'];

/** The field that a sentence of the server speaks of; none when it speaks of several. */
function fieldOf(sentence: string): string | undefined {
  const named = FIELD_WORDS.filter((word) => sentence.toLowerCase().includes(word));
  return named.length === 1 ? named[0] : undefined;
}

/** Tells of a problem twice: as a notice, and beside the field it belongs to. */
export function useFormProblem() {
  const [problem, setProblem] = useState<Problem | null>(null);
  return {
    report(text: string, field: string | undefined = fieldOf(text)) {
      setProblem({ field, text });
      notify.failure(text);
    },
    clear: () => setProblem(null),
    /** The text for one field, by the word that names it. */
    of: (field: string) => (problem?.field === field ? problem.text : null),
  };
}

/** A field of a submitted form as text. */
export function readField(form: HTMLFormElement, name: string): string {
  return String(new FormData(form).get(name) ?? '');
}
