import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { NOTE_MAX, reportReview } from '../../../contract/moderation.ts';
import type { ReasonKey } from '../../../contract/reasons.ts';
import { failureText, request } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { ReasonChoice } from '../../components/reason-choice.tsx';
import { TextArea } from '../../components/text-area.tsx';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';

interface ReportDialogProps {
  reviewId: number;
  onClose: () => void;
}

/** Asks what is wrong with a review. Closing it gives the focus back to the button that opened it. */
export function ReportDialog({ reviewId, onClose }: ReportDialogProps) {
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [reason, setReason] = useState<ReasonKey>();
  const [problem, setProblem] = useState<string>();
  const report = useGuardedMutation({
    mutationFn: (body: { reason: ReasonKey; note?: string }) => request(reportReview, { params: { reviewId }, body }),
    onSuccess: () => {
      dialog.current?.close();
      notify.success('Thank you. An admin will look at it. The author is not told who reported.');
    },
    onError: (cause) => setProblem(failureText(cause, 'The report was not sent: ')),
  });

  useEffect(() => {
    dialog.current?.showModal();
  }, []);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const note = String(new FormData(event.currentTarget).get('note') ?? '').trim();
    if (reason === undefined) return setProblem('Please choose what is wrong.');
    if (reason === 'other' && note === '') return setProblem('Please say in the note what is wrong.');
    setProblem(undefined);
    report.mutate({ reason, ...(note !== '' && { note }) });
  }

  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-lg border border-line bg-surface p-5 text-ink shadow-lg backdrop:bg-night/60 sm:p-6"
      onClose={onClose}
    >
      <form method="post" noValidate onSubmit={submit} className="grid gap-3">
        <h2 id={titleId} className="text-xl">
          Report this review
        </h2>
        <ReasonChoice legend="What is wrong with it?" onChoose={setReason} />
        <details open={reason === 'other' || undefined}>
          <summary className="flex min-h-touch items-center text-link">Add a note</summary>
          <TextArea label="Note" name="note" rows={3} maxLength={NOTE_MAX} required={reason === 'other'} />
        </details>
        {problem && (
          <p role="alert" className="font-semibold text-danger">
            {problem}
          </p>
        )}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" isPending={report.isPending}>
            Send report
          </Button>
          <Button variant="quiet" onClick={() => dialog.current?.close()}>
            Cancel
          </Button>
        </div>
      </form>
    </dialog>
  );
}
