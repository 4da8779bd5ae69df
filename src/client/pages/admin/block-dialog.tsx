import { useRef } from 'react';
import { BLOCK_REASON_LENGTH, blockUser, type User } from '../../../contract/users.ts';
import { failureText, request } from '../../api.ts';
import { FormDialog } from '../../components/feedback/dialog.tsx';
import { Field } from '../../components/form/fields.tsx';
import { useForm } from '../../form.ts';
import { readField } from '../../form-problem.ts';
import { notify } from '../../notices.ts';

interface BlockDialogProps {
  user: User;
  onBlocked: (user: User) => Promise<void>;
  onClose: () => void;
}

/** Asks for the reason before a user is blocked. */
export function BlockDialog({ user, onBlocked, onClose }: BlockDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useForm({
    read: (form) => readField(form, 'reason').trim(),
    check: (reason) =>
      [...reason].length < BLOCK_REASON_LENGTH.min
        ? [{ text: `Please give a reason of at least ${BLOCK_REASON_LENGTH.min} characters.`, field: 'reason' }]
        : [],
    send: async (reason) => {
      const body = { isBlocked: true, reason };
      const blocked = await request(blockUser, { params: { userId: user.id }, body });
      // Here and not in onSuccess: the list changes even if the dialog was closed meanwhile.
      dialog.current?.close();
      notify.success(`${blocked.username} is blocked and cannot log in any more.`);
      await onBlocked(blocked);
    },
    failureOf: (error) => failureText(error, 'The user was not blocked: '),
  });

  return (
    <FormDialog
      ref={dialog}
      title={`Block ${user.username}?`}
      form={form}
      sendLabel="Block"
      isDangerous
      onClose={onClose}
    >
      <p>They are logged out and cannot log in again. Their reviews stay.</p>
      <Field
        label="Reason"
        {...form.problem.field('reason')}
        help="They read it in a mail and when they try to log in."
        required
        minLength={BLOCK_REASON_LENGTH.min}
        maxLength={BLOCK_REASON_LENGTH.max}
      />
    </FormDialog>
  );
}
