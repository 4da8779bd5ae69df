import { REVEAL_REASON_LENGTH, revealAuthor } from '../../../contract/moderation.ts';
import { failureText, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { Field } from '../../components/form/fields.tsx';
import { useForm } from '../../form.ts';
import { readField } from '../../form-problem.ts';

/** Shows an admin who wrote a review, after they have given a reason. */
export function RevealAuthor({ reviewId }: { reviewId: number }) {
  const { problem, onSubmit, isPending, answer } = useForm({
    read: (form) => readField(form, 'reason').trim(),
    check: (reason) =>
      [...reason].length < REVEAL_REASON_LENGTH.min
        ? [{ text: `Please give a reason of at least ${REVEAL_REASON_LENGTH.min} characters.`, field: 'reason' }]
        : [],
    send: (reason) => request(revealAuthor, { params: { reviewId }, body: { reason } }),
    failureOf: (error) => failureText(error, 'The author was not revealed: '),
  });

  return (
    <details>
      <summary className="flex min-h-touch items-center text-link">Who wrote this?</summary>
      {/* Rendered before it has a text, so that screen readers announce the text. */}
      <p role="status" className="wrap-anywhere">
        {answer && (
          <span>
            Written by <b>{answer.username}</b> (user {answer.userId}).
          </span>
        )}
      </p>
      {!answer && (
        <form method="post" noValidate onSubmit={onSubmit} className="grid max-w-prose gap-3">
          <Field
            label="Reason"
            name="reason"
            help="The audit trail keeps it with your name."
            required
            minLength={REVEAL_REASON_LENGTH.min}
            maxLength={REVEAL_REASON_LENGTH.max}
            error={problem.errorOf('reason') ?? problem.errorOf()}
          />
          <Button type="submit" variant="quiet" className="justify-self-start" isPending={isPending}>
            Reveal author
          </Button>
        </form>
      )}
    </details>
  );
}
