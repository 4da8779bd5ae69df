import { lazy } from 'react';
import type { Category } from '../../../contract/categories.ts';
import type { Entry } from '../../../contract/entries.ts';
import { AddButton } from './add-button.tsx';

// Loaded on demand, because few readers miss something.
const EntryDialog = lazy(() => import('./entry-dialog.tsx').then(({ EntryDialog }) => ({ default: EntryDialog })));

interface AddEntryProps {
  category: Category;
  schoolId: number;
  /** Undefined while it is loading. */
  schoolName: string | undefined;
  /** Those that are there. Undefined while they are loading. */
  entries: readonly Entry[] | undefined;
}

export function AddEntry({ entries, ...props }: AddEntryProps) {
  return (
    <AddButton label="Add what is missing" question={entries?.length === 0 ? undefined : 'Is something missing here?'}>
      {(close) => <EntryDialog {...props} entries={entries ?? []} onClose={close} />}
    </AddButton>
  );
}
