import { useRef, useState } from 'react';
import { REASONS } from '../../../contract/reasons.ts';
import { DELETED_WITH_REVIEWS, deleteUser, type User } from '../../../contract/users.ts';
import { failureText, request } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useGuardedMutation } from '../../guard.ts';

interface DeleteWithReviewsDialogProps {
  user: User;
  onDeleted: (user: User) => Promise<void>;
  onClose: () => void;
}

/** Asks before a user is deleted and all their reviews are hidden. */
export function DeleteWithReviewsDialog({ user, onDeleted, onClose }: DeleteWithReviewsDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState<string>();
  const remove = useGuardedMutation({
    mutationFn: () => request(deleteUser, { params: { id: user.id }, query: { reviews: 'hide' } }),
    onSuccess: async () => {
      dialog.current?.close();
      await onDeleted(user);
    },
    onError: (cause) => setProblem(failureText(cause, 'The user was not deleted: ')),
  });

  return (
    <Dialog ref={dialog} title={`Delete ${user.username} with all reviews?`} onClose={onClose}>
      <div className="grid gap-3">
        <p>
          The account is deleted, which has no Undo. Every review of theirs is hidden: “{REASONS[DELETED_WITH_REVIEWS]}
          ”. Under Moderation, each can be restored without a name. Their open proposals are refused.
        </p>
        {problem && (
          <p role="alert" className="font-semibold text-danger">
            {problem}
          </p>
        )}
        {/* Cancel comes first and has the focus: pressing Enter twice must not delete. */}
        <div className="flex flex-wrap gap-3">
          <Button variant="quiet" onClick={() => dialog.current?.close()}>
            Cancel
          </Button>
          <Button variant="danger" isPending={remove.isPending} onClick={() => remove.mutate()}>
            Delete with reviews
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
