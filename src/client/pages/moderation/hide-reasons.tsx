import { type FormEvent, useState } from 'react';
import type { ReasonKey } from '../../../contract/reasons.ts';
import { ReasonChoice } from '../../components/form/reason-choice.tsx';
import { useDecisionForm } from '../../components/list/decision-panel.tsx';

/**
 * Hiding in two steps: the first press opens the reasons, the second one, or Enter in the reasons, hides.
 * @param initial the reason that is chosen at first
 */
export function useHideReasons(hide: (reason: ReasonKey) => void, initial: ReasonKey | undefined) {
  const form = useDecisionForm();
  const [reason, setReason] = useState(initial);
  const [problem, setProblem] = useState<string>();

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (reason === undefined) setProblem('Please choose a reason.');
    else hide(reason);
  }

  function choose(chosen: ReasonKey): void {
    setReason(chosen);
    setProblem(undefined);
  }

  return { ...form, reason, submit, choose, problem, setProblem };
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
