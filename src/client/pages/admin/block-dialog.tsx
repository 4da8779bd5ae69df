import { type FormEvent, useEffect, useId, useRef } from 'react';
import { BLOCK_REASON, blockUser, type User } from '../../../contract/users.ts';
import { request } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { readField, useFormProblem } from '../../form-problem.ts';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';

interface BlockDialogProps {
  user: User;
  onBlocked: (user: User) => Promise<void>;
  onClose: () => void;
}

/** Asks why a user is blocked. Closing it gives the focus back to the button that opened it. */
export function BlockDialog({ user, onBlocked, onClose }: BlockDialogProps) {
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const problem = useFormProblem();
  const block = useGuardedMutation({
    mutationFn: (reason: string) =>
      request(blockUser, { params: { userId: user.id }, body: { isBlocked: true, reason } }),
    onSuccess: async (blocked) => {
      dialog.current?.close();
      notify.success(`${blocked.username} is blocked and cannot log in any more.`);
      await onBlocked(blocked);
    },
  });

  useEffect(() => {
    dialog.current?.showModal();
  }, []);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const reason = readField(form, 'reason').trim();
    if ([...reason].length < BLOCK_REASON.min) {
      const text = `Please give a reason of at least ${BLOCK_REASON.min} characters.`;
      return problem.tell([{ text, field: 'reason' }], form);
    }
    problem.clear();
    block.mutate(reason, { onError: (error) => problem.fail(error, 'The user was not blocked: ', form) });
  }

  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-lg border border-line bg-surface p-5 text-ink shadow-lg backdrop:bg-night/60 sm:p-6"
      onClose={onClose}
    >
      <form method="post" noValidate onSubmit={submit} className="grid gap-3">
        <h2 id={titleId} className="text-xl wrap-anywhere">
          Block {user.username}?
        </h2>
        <p>They are logged out and cannot log in again. Their reviews stay.</p>
        <Field
          label="Reason"
          name="reason"
          help="They read it in a mail and when they try to log in."
          required
          minLength={BLOCK_REASON.min}
          maxLength={BLOCK_REASON.max}
          error={problem.of('reason') ?? problem.of()}
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="danger" isPending={block.isPending}>
            Block
          </Button>
          <Button variant="quiet" onClick={() => dialog.current?.close()}>
            Cancel
          </Button>
        </div>
      </form>
    </dialog>
  );
}
