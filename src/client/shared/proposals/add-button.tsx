import { type ReactNode, useLayoutEffect } from 'react';
import { flushSync } from 'react-dom';
import { useLoginFirst, useResumed } from '../../begun.ts';
import { lateDialog, useLateDialog } from '../../components/feedback/late-dialog.tsx';
import { Button } from '../../components/form/button.tsx';
import { proposalMode } from '../../site.ts';
import type { EntryPlace } from './entry-dialog.tsx';

/** The name of the form on its page. */
const PROPOSE = 'propose';

interface AddButtonProps {
  label: string;
  /** The text beside the button that says what it is for. Left out below an empty list, where that is obvious. */
  question?: string | undefined;
  /** Called when the dialog opens and when it closes. */
  onToggle?: ((isOpen: boolean) => void) | undefined;
  /** The dialog with the form. */
  children: (close: () => void) => ReactNode;
}

/** Opens a form to propose something. Visitors are led to the login page first, and back to the open form. */
function AddButton({ label, question, onToggle, children }: AddButtonProps) {
  const loginFirst = useLoginFirst('Log in to add what is missing.');
  const dialog = useLateDialog<true>();
  const isOpen = dialog.opened === true;

  useResumed((action) => {
    if (action === PROPOSE) dialog.open(true);
    // The DraftNote in the dialog resumes the action.
    return false;
  });
  // Called before the dialog is painted: the page may remove a form that has the same fields.
  useLayoutEffect(() => onToggle?.(isOpen), [isOpen, onToggle]);

  function close(): void {
    flushSync(dialog.close);
    // The page's form is back, and may have moved the button that has the focus out of sight.
    document.activeElement?.scrollIntoView({ block: 'nearest' });
  }

  if (proposalMode() === 'off') return null;

  return (
    <div
      className={`no-print needs-script flex flex-wrap items-center justify-center gap-x-4 gap-y-2 ${question ? 'py-6' : 'pb-6'}`}
    >
      {question && <p className="text-ink-soft">{question}</p>}
      <Button
        variant={question ? 'quiet' : 'primary'}
        className="aria-busy:opacity-60"
        aria-busy={dialog.isOpening(true) || undefined}
        onClick={() => loginFirst(PROPOSE, () => dialog.open(true))}
      >
        {label}
      </Button>
      {isOpen && children(close)}
    </div>
  );
}

const EntryDialog = lateDialog(() => import('./entry-dialog.tsx').then(({ EntryDialog }) => EntryDialog));

export function AddEntry({ onToggle, ...place }: EntryPlace & Pick<AddButtonProps, 'onToggle'>) {
  return (
    <AddButton label="Add what is missing" question="Is something missing here?" onToggle={onToggle}>
      {(close) => <EntryDialog {...place} form={PROPOSE} onClose={close} />}
    </AddButton>
  );
}

const SchoolDialog = lateDialog(() => import('./school-dialog.tsx').then(({ SchoolDialog }) => SchoolDialog));

interface AddSchoolProps {
  /** The searched name, with which the form begins. */
  typed?: string | undefined;
  question?: string | undefined;
}

export function AddSchool({ typed = '', question = 'Is a school missing?' }: AddSchoolProps) {
  return (
    <AddButton label="Add a missing school" question={question}>
      {(close) => <SchoolDialog form={PROPOSE} typed={typed} onClose={close} />}
    </AddButton>
  );
}
