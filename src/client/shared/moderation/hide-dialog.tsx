import { useRef, useState } from 'react';
import type { ReasonKey } from '../../../contract/reasons.ts';
import { failureText, queryClient } from '../../api.ts';
import { FormDialog } from '../../components/feedback/dialog.tsx';
import { ReasonChoice } from '../../components/form/reason-choice.tsx';
import { useForm } from '../../form.ts';
import { focusPage } from '../../navigation.ts';
import { decide, notifyDecided } from './decisions.ts';

interface HideDialogProps {
  reviewId: number;
  /** Called when the review is hidden, before what is on screen is read again. */
  onHidden?: (() => void) | undefined;
  onClose: () => void;
}

/** Asks why a review is to be hidden. */
export function HideDialog({ reviewId, onHidden, onClose }: HideDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [reason, setReason] = useState<ReasonKey>();
  const form = useForm({
    read: () => reason,
    check: (chosen) => (chosen === undefined ? [{ text: 'Please choose a reason.', field: 'reason' }] : []),
    send: async (chosen) => {
      const decision = { reviewId, action: 'hide', reason: chosen } as const;
      await decide(decision);
      dialog.current?.close();
      notifyDecided(decision, { reviewId, action: 'restore' });
      onHidden?.();
      await queryClient.invalidateQueries();
      // The button that opened the dialog is gone with its review.
      if (document.activeElement === document.body) focusPage();
    },
    failureOf: (error) => failureText(error, 'The review was not hidden: '),
  });

  return (
    <FormDialog ref={dialog} title="Hide this review" form={form} sendLabel="Hide" isDangerous onClose={onClose}>
      <ReasonChoice
        legend="Why is it hidden?"
        chosen={reason ?? ''}
        onChoose={setReason}
        error={form.problem.errorOf('reason')}
      />
    </FormDialog>
  );
}
