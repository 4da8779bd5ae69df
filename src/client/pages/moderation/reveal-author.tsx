import type { FormEvent } from 'react';
import { REVEAL_REASON, revealAuthor } from '../../../contract/moderation.ts';
import { request } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { readField, useFormProblem } from '../../form-problem.ts';
import { useGuardedMutation } from '../../guard.ts';

/** Shows an admin who wrote a review, after they have given a reason. */
export function RevealAuthor({ reviewId }: { reviewId: number }) {
  const problem = useFormProblem();
  const reveal = useGuardedMutation({
    mutationFn: (reason: string) => request(revealAuthor, { params: { reviewId }, body: { reason } }),
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const reason = readField(form, 'reason').trim();
    if ([...reason].length < REVEAL_REASON.min) {
      const text = `Please give a reason of at least ${REVEAL_REASON.min} characters.`;
      return problem.tell([{ text, field: 'reason' }], form);
    }
    problem.clear();
    reveal.mutate(reason, { onError: (error) => problem.fail(error, 'The author was not revealed: ', form) });
  }

  return (
    <details>
      <summary className="flex min-h-touch items-center text-link">Who wrote this?</summary>
      {/* Rendered before it has a text, so that screen readers announce the text. */}
      <p role="status" className="wrap-anywhere">
        {reveal.data && (
          <>
            Written by <b>{reveal.data.username}</b> (user {reveal.data.userId}).
          </>
        )}
      </p>
      {!reveal.data && (
        <form method="post" noValidate onSubmit={submit} className="grid max-w-prose gap-3">
          <Field
            label="Reason"
            name="reason"
            help="The audit trail keeps it with your name."
            required
            minLength={REVEAL_REASON.min}
            maxLength={REVEAL_REASON.max}
            error={problem.of('reason') ?? problem.of()}
          />
          <Button type="submit" variant="quiet" className="justify-self-start" isPending={reveal.isPending}>
            Reveal author
          </Button>
        </form>
      )}
    </details>
  );
}
