import type { FormEvent } from 'react';
import { refusedField } from './api.ts';
import { type Problem, useFormProblem } from './form-problem.ts';
import { useGuardedMutation } from './guard.ts';

interface FormOptions<Values, Answer> {
  read: (form: HTMLFormElement) => Values;
  /** Everything that is wrong with the values, in the order of the fields. Nothing is sent while there is something. */
  check: (values: Values) => readonly Problem[];
  send: (values: Values) => Promise<Answer>;
  /** Not called once the form has left the page. */
  onSuccess?: (answer: Answer, values: Values, form: HTMLFormElement) => void;
  /** The text for a failure. */
  failureOf: (error: Error) => string;
  /** Called before the failure is shown. */
  onFailure?: (error: Error, values: Values, form: HTMLFormElement) => void;
}

/** A form that reads its fields when it is submitted, checks them and sends them. */
export function useForm<Values, Answer>(options: FormOptions<Values, Answer>) {
  const problem = useFormProblem();
  const { mutate, isPending, data } = useGuardedMutation({ mutationFn: options.send });

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const values = options.read(form);
    const found = options.check(values);
    if (found.length > 0) return problem.tell(found, form);
    problem.clear();
    mutate(values, {
      onSuccess: (answer) => options.onSuccess?.(answer, values, form),
      onError: (error) => {
        options.onFailure?.(error, values, form);
        problem.tell([{ text: options.failureOf(error), field: refusedField(error) }], form);
      },
    });
  }

  return { onSubmit, problem, isPending, answer: data };
}
