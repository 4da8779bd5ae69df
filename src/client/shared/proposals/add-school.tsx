import { lazy } from 'react';
import { AddButton } from './add-button.tsx';

// Loaded on demand, because few readers miss a school.
const SchoolDialog = lazy(() => import('./school-dialog.tsx').then(({ SchoolDialog }) => ({ default: SchoolDialog })));

interface AddSchoolProps {
  /** What was searched for: the form begins with it. */
  typed?: string | undefined;
  question?: string | undefined;
}

export function AddSchool({ typed = '', question = 'Is a school missing?' }: AddSchoolProps) {
  return (
    <AddButton label="Add a missing school" question={question}>
      {(close) => <SchoolDialog typed={typed} onClose={close} />}
    </AddButton>
  );
}
