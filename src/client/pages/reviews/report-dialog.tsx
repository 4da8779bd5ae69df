import { useRef } from 'react';
import { NOTE_MAX, reportReview } from '../../../contract/moderation.ts';
import type { ReasonKey } from '../../../contract/reasons.ts';
import { failureText, request } from '../../api.ts';
import { FormDialog } from '../../components/feedback/dialog.tsx';
import { TextArea } from '../../components/form/fields.tsx';
import { ReasonChoice } from '../../components/form/reason-choice.tsx';
import { DraftNote, useDraft } from '../../draft.tsx';
import { useForm } from '../../form.ts';
import { notify } from '../../notices.ts';

interface Report {
  reason: ReasonKey | '';
  note: string;
}

const EMPTY_REPORT: Report = { reason: '', note: '' };

interface ReportDialogProps {
  /** The name of the form. */
  form: string;
  reviewId: number;
  onClose: () => void;
}

/** The dialog with the reasons for a report. */
export function ReportDialog({ form, reviewId, onClose }: ReportDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const draft = useDraft(form, EMPTY_REPORT);
  const { reason, note } = draft.values;
  const sending = useForm({
    draft,
    loginTo: 'report a review',
    read: () => ({ reason, note: note.trim() }),
    check: (values) => {
      if (values.reason === '') return [{ text: 'Please choose what is wrong.', field: 'reason' }];
      const isMissing = values.reason === 'other' && values.note === '';
      return isMissing ? [{ text: 'Please say in the note what is wrong.', field: 'note' }] : [];
    },
    send: (values) =>
      request(reportReview, {
        params: { reviewId },
        body: { reason: values.reason || 'other', ...(values.note !== '' && { note: values.note }) },
      }),
    onSent: () => {
      dialog.current?.close();
      notify.success('Thank you. An admin will look at it. The author is not told who reported.');
    },
    failureOf: (error) => failureText(error, 'The report was not sent: '),
  });

  return (
    <FormDialog ref={dialog} title="Report this review" form={sending} sendLabel="Send report" onClose={onClose}>
      <DraftNote draft={draft} />
      <ReasonChoice
        legend="What is wrong with it?"
        chosen={reason}
        onChoose={(chosen) => draft.change({ reason: chosen })}
        error={sending.problem.errorOf('reason')}
      />
      <TextArea
        label="Note"
        {...sending.problem.field('note')}
        rows={3}
        maxLength={NOTE_MAX}
        required={reason === 'other'}
        {...draft.text('note')}
      />
    </FormDialog>
  );
}
