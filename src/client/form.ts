import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { CallError, isExplained, refusedField } from './api.ts';
import { useLoginDetour } from './begun.ts';
import type { FormDraft } from './draft.tsx';
import { countText, excessOf } from './format.ts';
import { useGuardedMutation } from './guard.ts';
import { createNoticeReplacer, newestNoticeId, notify } from './notices.ts';
import { readSession } from './session.ts';

export interface FormOptions<Values, Answer> {
  read: (form: HTMLFormElement) => Values;
  /** The validation errors, in the order of the fields. Nothing is sent while there are any. */
  check: (values: Values) => readonly Problem[];
  /** @param mayBeDone the answer to the last request was lost: the server may have done what it asked for */
  send: (values: Values, mayBeDone: boolean) => Promise<Answer>;
  /** Called even if the form has left the page, after its draft is forgotten. */
  onSent?: (answer: Answer, values: Values) => unknown;
  /** Not called once the form has left the page. */
  onSuccess?: (answer: Answer, values: Values, form: HTMLFormElement) => void;
  /** The text for a failure; undefined for one that is not shown. @param mayBeDone as for `send` */
  failureOf: (error: Error, mayBeDone: boolean) => string | undefined;
  /** Called before the failure is shown. */
  onFailure?: (error: Error, values: Values, form: HTMLFormElement) => void;
  /** Leaves the focus on the button when a failure concerns no field. Default: the first field takes it. */
  keepsFocus?: boolean;
  /** For a form of signed-in users whose values are kept until they are sent. */
  draft?: FormDraft;
  /** The purpose of a login: "report a review". Needed with a draft. */
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
  const wasAnswerLost = useRef(false);
  const logInFirst = () => draft && goToLogin(draft.form, `Log in to ${loginTo}. What you wrote is kept.`);

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
        const answer = await options.send(values, wasAnswerLost.current);
        wasAnswerLost.current = false;
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
      const mayBeDone = wasAnswerLost.current;
      wasAnswerLost.current = !isExplained(error);
      // The token was refused, and the session has ended.
      if (draft && error instanceof CallError && error.status === 401) return logInFirst();
      options.onFailure?.(error, values, form);
      const text = options.failureOf(error, mayBeDone);
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

/** An error of a form and, if known, the field that it is about. */
export interface Problem {
  readonly field?: string | undefined;
  readonly text: string;
  /** The specification requires this error as a notice (§5), even if there are other errors. */
  readonly isAlert?: true;
  /** The server reported this error: the form cannot know when the value has become valid. */
  readonly isRefusal?: true;
}

/** The errors of fields whose texts are longer than their `data-max`. `maxlength` would cut what is pasted. */
function findExcess(form: HTMLFormElement): Problem[] {
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
  if (!(target instanceof HTMLElement)) return;
  // A field that has the focus already takes it anew: otherwise nobody would read out its error, which describes it.
  if (target === document.activeElement) target.blur();
  target.focus();
}

/** Shows all errors of a form: each beside its field, those without a field above the form. It also shows a notice. */
function useFormProblem() {
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
    /** For a form that is left: its last failure is no longer of use. */
    dismissFailures: () => replaceNotices(newestNoticeId(), 'failure'),
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
