import { useState } from 'react';
import { notDoneText } from '../../api.ts';
import { useGuard } from '../../guard.ts';
import { notify } from '../../notices.ts';

export interface RowAction<Row> {
  run: (row: Row) => void;
  isBusy: (row: Row) => boolean;
}

/**
 * An action on rows of a list. It can run for several rows at once, but not twice for the same row. A failure is shown
 * as a notice.
 * @param sentence the failure notice when the server gave no reason of its own: "Not deleted."
 */
export function useRowAction<Row extends { id: number }>(
  sentence: string,
  act: (row: Row) => Promise<void>,
): RowAction<Row> {
  const guard = useGuard();
  const [busyIds, setBusyIds] = useState<ReadonlySet<number>>(new Set());

  async function run(row: Row): Promise<void> {
    if (!guard.enter(row.id)) return;
    setBusyIds((ids) => new Set(ids).add(row.id));
    try {
      await act(row);
    } catch (cause) {
      notify.failure(notDoneText(cause, sentence));
    } finally {
      guard.leave(row.id);
      setBusyIds((ids) => new Set([...ids].filter((id) => id !== row.id)));
    }
  }

  return { run: (row) => void run(row), isBusy: (row) => busyIds.has(row.id) };
}
