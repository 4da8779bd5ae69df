import type { FormEvent } from 'react';
import { refusedField } from './api.ts';
import { type Problem, useFormProblem } from './form-problem.ts';
import { useGuardedMutation } from './guard.ts';

interface FormOptions<Values, Answer> {
  read: (form: HTMLFormElement) => Values;
  /** Everything that is wrong with the values, in the order of the fields. Nothing is sent while there is something. */
  check: (values: Values) => readonly Problem[];
  /** Sends the values, and does what must be done even once the form has left the page. */
  send: (values: Values) => Promise<Answer>;
  /** Not called once the form has left the page. */
  onSuccess?: (answer: Answer, values: Values, form: HTMLFormElement) => void;
  /** The text for a failure; undefined for one that is not shown. */
  failureOf: (error: Error) => string | undefined;
  /** Called before the failure is shown. */
  onFailure?: (error: Error, values: Values, form: HTMLFormElement) => void;
  /** Leaves the focus on the button when a failure concerns no field. Default: the first field takes it. */
  keepsFocus?: boolean;
}

/** The field of the form that a refusal is about, whose name is the last part of the name in the call. */
function refusedIn(form: HTMLFormElement, error: Error): string | undefined {
  const name = refusedField(error)?.split('.').at(-1);
  return name && form.elements.namedItem(name) ? name : undefined;
}

/** A form that reads its fields when it is submitted, checks them and sends them. */
export function useForm<Values, Answer>(options: FormOptions<Values, Answer>) {
  const problem = useFormProblem();
  const { mutate, isPending, data } = useGuardedMutation({
    mutationFn: ({ values }: { values: Values; form: HTMLFormElement }) => options.send(values),
    // Here and not in the options of mutate(): a failure is told even if the form has left the page.
    onError: (error, { values, form }) => {
      options.onFailure?.(error, values, form);
      const text = options.failureOf(error);
      const field = refusedIn(form, error);
      if (text !== undefined) problem.tell([{ text, field }], options.keepsFocus && !field ? undefined : form);
    },
  });

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const values = options.read(form);
    const found = options.check(values);
    if (found.length > 0) return problem.tell(found, form);
    problem.clear();
    mutate({ values, form }, { onSuccess: (answer) => options.onSuccess?.(answer, values, form) });
  }

  return { onSubmit, problem, isPending, answer: data };
}
