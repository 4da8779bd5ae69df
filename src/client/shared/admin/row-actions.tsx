import { type QueryKey, useMutationState } from '@tanstack/react-query';
import { type ComponentProps, useId } from 'react';
import { type DeletedKind, restoreDeleted } from '../../../contract/deletions.ts';
import { actionFailureText, queryClient, request } from '../../api.ts';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';

/**
 * Changes a cached list in the same way as the server just did. A response that is still in flight would be older, so
 * it is cancelled.
 */
export async function updateCachedList<Rows>(queryKey: QueryKey, change: (rows: Rows) => Rows): Promise<void> {
  await queryClient.cancelQueries({ queryKey, exact: true });
  queryClient.setQueryData<Rows>(queryKey, (rows) => rows && change(rows));
  await queryClient.invalidateQueries({ queryKey, exact: true, refetchType: 'none' });
}

export interface RowAction<Row> {
  run: (row: Row) => void;
  isBusy: (row: Row) => boolean;
}

/**
 * An action on rows of a list. It can run for several rows at once, but not twice for the same row. A failure is shown
 * as a notice.
 * @param failureSentence the failure notice when the server gave no reason of its own: "Not deleted."
 */
export function useRowAction<Row extends { id: number }>(
  failureSentence: string,
  perform: (row: Row) => Promise<void>,
): RowAction<Row> {
  const mutationKey = [useId()];
  const { mutate } = useGuardedMutation({
    mutationKey,
    keyOf: ({ id }) => id,
    mutationFn: perform,
    onError: (cause) => notify.failure(actionFailureText(cause, failureSentence)),
  });
  const busyIds = useMutationState({
    filters: { mutationKey, status: 'pending' },
    // Safe: this action alone has the key.
    select: ({ state }) => (state.variables as Row).id,
  });
  return { run: mutate, isBusy: ({ id }) => busyIds.includes(id) };
}

/** Restores a deleted school or entry. @param reload reads the lists again in which the row appears or disappears */
export function useRestore<Row extends { id: number }>(
  kind: DeletedKind,
  reload: () => Promise<unknown>,
): RowAction<Row> {
  return useRowAction<Row>('It was not brought back.', async (row) => {
    const { name } = await request(restoreDeleted, { body: { kind, id: row.id } });
    await reload();
    notify.success(`${name} is back.`, `${kind} ${row.id}`);
  });
}

interface RowButtonProps extends ComponentProps<'button'> {
  variant: 'danger' | 'quiet';
  /** The button's request is in flight. `disabled` would make the button lose the focus. */
  isBusy?: boolean;
  /** The id of the element that names the row. */
  nameId: string;
}

/** "Update" or "Delete" in a row. The name of the row is its accessible description. */
export function RowButton({ variant, isBusy = false, nameId, className = '', children, ...rest }: RowButtonProps) {
  const colours = variant === 'danger' ? 'text-danger hover:bg-danger-soft' : 'text-brand hover:bg-brand-soft';
  return (
    <button
      type="button"
      {...rest}
      aria-describedby={nameId}
      aria-busy={isBusy || undefined}
      className={`inline-flex min-h-touch min-w-touch items-center gap-2 rounded-sm px-3 font-semibold aria-busy:opacity-60 ${colours} ${className}`}
    >
      {children}
    </button>
  );
}
