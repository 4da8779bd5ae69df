import { type FormEvent, useRef, useState } from 'react';
import { NOTE_MAX, reportReview } from '../../../contract/moderation.ts';
import type { ReasonKey } from '../../../contract/reasons.ts';
import { failureText, request } from '../../api.ts';
import { FormDialog } from '../../components/feedback/dialog.tsx';
import { TextArea } from '../../components/form/fields.tsx';
import { ReasonChoice } from '../../components/form/reason-choice.tsx';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';

interface ReportDialogProps {
  reviewId: number;
  onClose: () => void;
}

/** The dialog with the reasons for a report. */
export function ReportDialog({ reviewId, onClose }: ReportDialogProps) {
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

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const note = String(new FormData(event.currentTarget).get('note') ?? '').trim();
    if (reason === undefined) return setProblem('Please choose what is wrong.');
    if (reason === 'other' && note === '') return setProblem('Please say in the note what is wrong.');
    setProblem(undefined);
    report.mutate({ reason, ...(note !== '' && { note }) });
  }

  return (
    <FormDialog
      ref={dialog}
      title="Report this review"
      error={problem}
      sendLabel="Send report"
      isPending={report.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <ReasonChoice legend="What is wrong with it?" onChoose={setReason} />
      <details open={reason === 'other' || undefined}>
        <summary className="flex min-h-touch items-center text-link">Add a note</summary>
        <TextArea label="Note" name="note" rows={3} maxLength={NOTE_MAX} required={reason === 'other'} />
      </details>
    </FormDialog>
  );
}
