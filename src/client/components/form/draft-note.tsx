import { useRef } from 'react';
import { useResumed } from '../../begun.ts';
import type { FormDraft } from '../../draft.ts';

interface DraftNoteProps {
  draft: FormDraft;
  /** False while the page may still move or replace the form, which then does not take the focus. */
  isSettled?: boolean;
  /** Called when the author has come back from a login that was needed to send the form. */
  onReturn?: () => void;
  /** True while another form is in use, which has a note of its own. */
  hidesNote?: boolean;
  /** Called when the draft is discarded, for a form that is then closed. Default: the first field takes the focus. */
  onDiscard?: (() => void) | undefined;
}

/** Says in a form that its draft is restored. After a login, the form's submit button takes the focus. */
export function DraftNote({ draft, isSettled = true, onReturn, hidesNote = false, onDiscard }: DraftNoteProps) {
  const note = useRef<HTMLDivElement>(null);
  const { isRestored } = draft;
  const isShown = isRestored && !hidesNote;

  useResumed((action) => {
    if (action !== draft.form) return false;
    const form = isRestored && note.current?.closest('form');
    if (form) {
      onReturn?.();
      const submit = form.querySelector<HTMLElement>('button[type=submit]');
      submit?.scrollIntoView({ block: 'center' });
      submit?.focus({ preventScroll: true });
    }
    return true;
  }, isSettled);

  function discard(): void {
    draft.discard();
    if (onDiscard) onDiscard();
    else note.current?.closest('form')?.querySelector<HTMLElement>('input, textarea')?.focus();
  }

  return (
    <div ref={note} role="status" className={isShown ? 'flex flex-wrap items-center gap-x-4' : 'hidden'}>
      {isShown && (
        <>
          <span className="text-ink-soft">Your draft is back.</span>
          <button type="button" className="text-button" onClick={discard}>
            Discard
          </button>
          {draft.hasEarlier && (
            <button type="button" className="text-button" onClick={draft.swap}>
              Show your other draft
            </button>
          )}
        </>
      )}
    </div>
  );
}
