import { useRef } from 'react';
import { REASONS } from '../../../contract/reasons.ts';
import { DELETED_USER_REASON, deleteUser, type User } from '../../../contract/users.ts';
import { failureText, request } from '../../api.ts';
import { ConfirmDialog } from '../../components/feedback/dialog.tsx';
import { useGuardedMutation } from '../../guard.ts';
import { proposalMode } from '../../site.ts';

interface DeleteWithReviewsDialogProps {
  user: User;
  onDeleted: (user: User) => Promise<void>;
  onClose: () => void;
}

/** Asks before a user is deleted and all their reviews are hidden. */
export function DeleteWithReviewsDialog({ user, onDeleted, onClose }: DeleteWithReviewsDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const remove = useGuardedMutation({
    mutationFn: () => request(deleteUser, { params: { id: user.id }, query: { reviews: 'hide' } }),
    onSuccess: async () => {
      dialog.current?.close();
      await onDeleted(user);
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
