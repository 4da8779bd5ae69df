import { type ComponentProps, type ReactNode, useCallback, useRef, useState } from 'react';
import { actionFailureText } from '../../api.ts';
import { takeFocus } from '../../form.ts';
import { useGuardedMutation } from '../../guard.ts';
import { passFocusOn } from '../../navigation.ts';
import { notify } from '../../notices.ts';
import { Button } from '../form/button.tsx';

interface ConfirmationProps {
  question?: string;
  confirmLabel: string;
  /** The notice when the server gave no reason of its own: "The review was not deleted." */
  failureSentence: string;
  className?: string;
  onConfirm: () => Promise<unknown>;
  /** The buttons that the question replaces. `opener` makes one of them ask it. */
  children: (opener: Pick<ComponentProps<'button'>, 'ref' | 'onClick'>) => ReactNode;
}

/** Asks in the place of some buttons before an action that has no Undo. */
export function Confirmation(props: ConfirmationProps) {
  const { question, confirmLabel, failureSentence, className = '', onConfirm, children } = props;
  const [isAsking, setAsking] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const confirming = useGuardedMutation({
    mutationFn: onConfirm,
    onError: (error) => notify.failure(actionFailureText(error, failureSentence)),
  });
  const safeButton = useCallback((button: HTMLButtonElement | null) => {
    takeFocus(button);
    return passFocusOn(button, () => opener.current);
  }, []);
  if (!isAsking) return children({ ref: opener, onClick: () => setAsking(true) });
  return (
    <div className={`flex flex-wrap items-center gap-3 ${className}`}>
      {question && <p className="grow">{question}</p>}
      <Button variant="danger" isPending={confirming.isPending} onClick={() => confirming.mutate()}>
        {confirmLabel}
      </Button>
      {/* The safe button has the focus: pressing Enter twice must not confirm. */}
      <Button variant="quiet" ref={safeButton} onClick={() => setAsking(false)}>
        Keep it
      </Button>
    </div>
  );
}
