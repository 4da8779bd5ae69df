import { useRef } from 'react';
import { REASONS } from '../../../contract/reasons.ts';
import { BLOCK_REASON_LENGTH, blockUser, DELETED_USER_REASON, deleteUser, type User } from '../../../contract/users.ts';
import { failureText, request } from '../../api.ts';
import { ConfirmDialog, FormDialog } from '../../components/feedback/dialog.tsx';
import { Field } from '../../components/form/fields.tsx';
import { readField, shortReasonProblems, useForm } from '../../form.ts';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { proposalMode } from '../../site.ts';

/** The subject of a notice about a user. */
export const aboutUser = (id: number) => `user ${id}`;

interface UserDialogProps {
  user: User;
  /** Called with the user when that is done. */
  onDone: (user: User) => Promise<void>;
  onClose: () => void;
}

/** Asks for the reason before a user is blocked. */
export function BlockDialog({ user, onDone, onClose }: UserDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useForm({
    read: (form) => readField(form, 'reason').trim(),
    check: (reason) => shortReasonProblems(reason, BLOCK_REASON_LENGTH.min),
    send: async (reason) => {
      const body = { isBlocked: true, reason };
      const blocked = await request(blockUser, { params: { userId: user.id }, body });
      // Here and not in onSuccess: the list changes even if the dialog was closed meanwhile.
      dialog.current?.close();
      notify.success(`${blocked.username} is blocked and cannot log in any more.`, aboutUser(user.id));
      await onDone(blocked);
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

/** Asks before a user is deleted and all their reviews are hidden. */
export function DeleteWithReviewsDialog({ user, onDone, onClose }: UserDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const remove = useGuardedMutation({
    mutationFn: () => request(deleteUser, { params: { id: user.id }, query: { reviews: 'hide' } }),
    onSuccess: async () => {
      dialog.current?.close();
      await onDone(user);
    },
  });

  return (
    <ConfirmDialog
      ref={dialog}
      title={`Delete ${user.username} with all reviews?`}
      error={remove.error && failureText(remove.error, 'The user was not deleted: ')}
      confirmLabel="Delete with reviews"
      isPending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        <span>
          The account is deleted, which has no Undo. Every review of theirs is hidden: “{REASONS[DELETED_USER_REASON]}
          ”. Under Moderation, each can be restored without a name. Their open proposals are refused.
        </span>
        {proposalMode() === 'open' && (
          <span> What they added and nobody else reviewed is deleted, and can be restored there.</span>
        )}
      </p>
    </ConfirmDialog>
  );
}
