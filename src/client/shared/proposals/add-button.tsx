import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import type { Category } from '../../../contract/categories.ts';
import type { Entry } from '../../../contract/entries.ts';
import { Button } from '../../components/form/button.tsx';
import { useSession } from '../../session.ts';
import { proposalMode } from '../../site.ts';
import { consumeReturn } from '../accounts/return-path.ts';
import { useLoginFirst } from '../accounts/use-login-first.ts';

interface AddButtonProps {
  label: string;
  /** What it is for, beside the button. Left out below an empty list: there the button is what to do. */
  question?: string | undefined;
  /** The dialog with the form. */
  children: (close: () => void) => ReactNode;
}

/** Opens a form to propose something. Visitors are led to the login page first, and back to the open form. */
function AddButton({ label, question, children }: AddButtonProps) {
  const session = useSession();
  const loginFirst = useLoginFirst('Log in to add what is missing.');
  const { pathname, search } = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  const path = pathname + search;

  useEffect(() => {
    if (session && consumeReturn(path)) setIsOpen(true);
  }, [session, path]);

  if (proposalMode() === 'off') return null;

  return (
    <div
      className={`no-print needs-script flex flex-wrap items-center justify-center gap-x-4 gap-y-2 ${question ? 'py-6' : 'pb-6'}`}
    >
      {question && <p className="text-ink-soft">{question}</p>}
      <Button variant={question ? 'quiet' : 'primary'} onClick={() => loginFirst(() => setIsOpen(true))}>
        {label}
      </Button>
      {isOpen && <Suspense>{children(() => setIsOpen(false))}</Suspense>}
    </div>
  );
}

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
