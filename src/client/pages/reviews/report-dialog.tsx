import { useRef, useState } from 'react';
import { NOTE_MAX, reportReview } from '../../../contract/moderation.ts';
import type { ReasonKey } from '../../../contract/reasons.ts';
import { failureText, request } from '../../api.ts';
import { FormDialog } from '../../components/feedback/dialog.tsx';
import { TextArea } from '../../components/form/fields.tsx';
import { ReasonChoice } from '../../components/form/reason-choice.tsx';
import { useForm } from '../../form.ts';
import { readField } from '../../form-problem.ts';
import { notify } from '../../notices.ts';

interface ReportDialogProps {
  reviewId: number;
  onClose: () => void;
}

/** The dialog with the reasons for a report. */
export function ReportDialog({ reviewId, onClose }: ReportDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [reason, setReason] = useState<ReasonKey>();
  const { onSubmit, problem, isPending } = useForm({
    read: (form) => ({ reason, note: readField(form, 'note').trim() }),
    check: (values) => {
      if (values.reason === undefined) return [{ text: 'Please choose what is wrong.' }];
      const isMissing = values.reason === 'other' && values.note === '';
      return isMissing ? [{ text: 'Please say in the note what is wrong.', field: 'note' }] : [];
    },
    send: async ({ reason: chosen = 'other', note }) => {
      await request(reportReview, { params: { reviewId }, body: { reason: chosen, ...(note !== '' && { note }) } });
      dialog.current?.close();
      notify.success('Thank you. An admin will look at it. The author is not told who reported.');
    },
    failureOf: (error) => failureText(error, 'The report was not sent: '),
  });

  return (
    <FormDialog
      ref={dialog}
      title="Report this review"
      error={problem.of()}
      sendLabel="Send report"
      isPending={isPending}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <ReasonChoice legend="What is wrong with it?" onChoose={setReason} />
      <details open={reason === 'other' || undefined}>
        <summary className="flex min-h-touch items-center text-link">Add a note</summary>
        <TextArea
          label="Note"
          name="note"
          rows={3}
          maxLength={NOTE_MAX}
          required={reason === 'other'}
          error={problem.of('note')}
        />
      </details>
    </FormDialog>
  );
}
