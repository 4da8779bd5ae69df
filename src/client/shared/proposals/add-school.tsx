import { lazy } from 'react';
import { AddButton } from './add-button.tsx';

// Loaded on demand, because few readers miss a school.
const SchoolDialog = lazy(() => import('./school-dialog.tsx').then(({ SchoolDialog }) => ({ default: SchoolDialog })));

/** @param typed what was searched for: the form begins with it */
export function AddSchool({ typed = '' }: { typed?: string | undefined }) {
  return (
    <AddButton label="Add a missing school" question="Is a school missing?">
      {(close) => <SchoolDialog typed={typed} onClose={close} />}
    </AddButton>
  );
}
