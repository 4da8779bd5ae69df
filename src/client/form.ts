import { type FormEvent, useRef } from 'react';
import { CallError, refusedField } from './api.ts';
import { useLoginDetour } from './begun.ts';
import type { FormDraft } from './draft.ts';
import { findExcess, type Problem, useFormProblem } from './form-problem.ts';
import { useGuardedMutation } from './guard.ts';
import { newestNoticeId } from './notices.ts';
import { readSession } from './session.ts';

interface FormOptions<Values, Answer> {
  read: (form: HTMLFormElement) => Values;
  /** The validation errors, in the order of the fields. Nothing is sent while there are any. */
  check: (values: Values) => readonly Problem[];
  /** Sends the values. */
  send: (values: Values) => Promise<Answer>;
  /** Called even if the form has left the page, after its draft is forgotten. */
  onSent?: (answer: Answer, values: Values) => unknown;
  /** Not called once the form has left the page. */
  onSuccess?: (answer: Answer, values: Values, form: HTMLFormElement) => void;
  /** The text for a failure; undefined for one that is not shown. */
  failureOf: (error: Error) => string | undefined;
  /** Called before the failure is shown. */
  onFailure?: (error: Error, values: Values, form: HTMLFormElement) => void;
  /** Leaves the focus on the button when a failure concerns no field. Default: the first field takes it. */
  keepsFocus?: boolean;
  /** For a form of signed-in users whose values are kept until they are sent. */
  draft?: FormDraft;
  /** What a login is for: "report a review". Needed with a draft. */
  loginTo?: string;
}

/** The name of the form's field that a refusal is about: the last part of the field's name in the call. */
function findRefusedField(form: HTMLFormElement, error: Error): string | undefined {
  const name = refusedField(error)?.split('.').at(-1);
  return name && form.elements.namedItem(name) ? name : undefined;
}

/** A form that reads its fields when it is submitted, checks them and sends them. */
export function useForm<Values, Answer>(options: FormOptions<Values, Answer>) {
  const problem = useFormProblem();
  const goToLogin = useLoginDetour();
  const { draft, loginTo } = options;
  const logInFirst = () => draft && goToLogin(draft.key, `Log in to ${loginTo}. What you wrote is kept.`);

  /**
   * Prevents changes of a form with a draft while it is sent. Read-only fields keep the focus and the cursor. Stars,
   * selects and checkboxes cannot be read-only: the draft ignores their changes.
   */
  function lock(form: HTMLFormElement, isLocked: boolean): void {
    if (!draft) return;
    draft.lock(isLocked);
    for (const field of form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea'))
      field.readOnly = isLocked;
  }

  const { mutate, isPending, data } = useGuardedMutation({
    mutationFn: async ({ values, form, since }: { values: Values; form: HTMLFormElement; since: number }) => {
      lock(form, true);
      try {
        const answer = await options.send(values);
        // Here as well as on success, which is not called if `onSent` removes the form from the page.
        problem.replaceNotices(since);
        draft?.discard();
        await options.onSent?.(answer, values);
        return answer;
      } finally {
        lock(form, false);
      }
    },
    // Here and not in the options of mutate(): a failure is shown even if the form has left the page.
    onError: (error, { values, form }) => {
      // The token was refused, and the session has ended.
      if (draft && error instanceof CallError && error.status === 401) return logInFirst();
      options.onFailure?.(error, values, form);
      const text = options.failureOf(error);
      const field = findRefusedField(form, error);
      if (text === undefined) return;
      problem.show([{ text, field, isRefusal: true }], options.keepsFocus && !field ? undefined : form);
    },
  });
  const latest = useRef(options);
  latest.current = options;
  const watched = useRef<HTMLFormElement>(null);

  const findProblems = (form: HTMLFormElement) => [
    ...findExcess(form),
    ...latest.current.check(latest.current.read(form)),
  ];

  /** From the first submission on, an error at a field disappears as soon as the field is valid. */
  function watch(form: HTMLFormElement): void {
    if (watched.current === form) return;
    watched.current = form;
    form.addEventListener('input', ({ target }) => {
      const changed = (target as HTMLInputElement).name;
      // Checked later, because React updates the state with the fields' values after this event.
      setTimeout(() => problem.recheck(changed, findProblems(form)));
    });
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    watch(form);
    const found = findProblems(form);
    if (found.length > 0) return problem.show(found, form);
    if (draft && !readSession()) return logInFirst();
    const values = options.read(form);
    problem.clear();
    const since = newestNoticeId();
    mutate(
      { values, form, since },
      {
        onSuccess: (answer) => {
          options.onSuccess?.(answer, values, form);
          problem.replaceNotices(since);
        },
      },
    );
  }

  return { onSubmit, problem, isPending, answer: data };
}
