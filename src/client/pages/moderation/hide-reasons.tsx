import { type FormEvent, useId, useState } from 'react';
import type { ReasonKey } from '../../../contract/reasons.ts';
import { ReasonChoice } from '../../components/form/reason-choice.tsx';

/**
 * Hiding in two steps: the first press opens the reasons, the second one, or Enter in the reasons, hides.
 * @param initial the reason that is chosen at first
 */
export function useHideReasons(hide: (reason: ReasonKey) => void, initial: ReasonKey | undefined) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [reason, setReason] = useState(initial);
  const [problem, setProblem] = useState<string>();
  const start = () => setIsOpen(true);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (reason === undefined) setProblem('Please choose a reason.');
    else hide(reason);
  }

  return {
    ...{ id, isOpen, reason, start, submit, choose: setReason },
    ...{ problem, setProblem },
    /** For the button "Hide". */
    button: {
      'aria-expanded': isOpen,
      ...(isOpen
        ? ({ type: 'submit', form: id } as const)
        : {
            // From now on the same button hides the review: this press must not do so yet.
            onClick: (event: { preventDefault(): void }) => {
              event.preventDefault();
              start();
            },
          }),
    },
  };
}

/** The reasons, once the form asks for one. */
export function HideReasons({ hiding }: { hiding: ReturnType<typeof useHideReasons> }) {
  if (!hiding.isOpen) return null;
  return (
    <form id={hiding.id} method="post" noValidate onSubmit={hiding.submit}>
      <ReasonChoice legend="Why is it hidden?" chosen={hiding.reason ?? ''} onChoose={hiding.choose} />
    </form>
  );
}
