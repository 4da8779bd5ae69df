import { type FormEvent, useRef } from 'react';
import { BLOCK_REASON, blockUser, type User } from '../../../contract/users.ts';
import { request } from '../../api.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { readField, useFormProblem } from '../../form-problem.ts';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';

interface BlockDialogProps {
  user: User;
  onBlocked: (user: User) => Promise<void>;
  onClose: () => void;
}

/** Asks for the reason before a user is blocked. */
export function BlockDialog({ user, onBlocked, onClose }: BlockDialogProps) {
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
    <FormDialog
      ref={dialog}
      title={`Block ${user.username}?`}
      error={problem.of()}
      sendLabel="Block"
      isDangerous
      isPending={block.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>They are logged out and cannot log in again. Their reviews stay.</p>
      <Field
        label="Reason"
        name="reason"
        help="They read it in a mail and when they try to log in."
        required
        minLength={BLOCK_REASON.min}
        maxLength={BLOCK_REASON.max}
        error={problem.of('reason')}
      />
    </FormDialog>
  );
}
