import { useState } from 'react';
import { getMyProposals, type MyProposal, withdrawMyProposal } from '../../../contract/proposals.ts';
import { actionFailureText, invalidateReads, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { useHasDraft } from '../../draft.ts';
import { takeFocus } from '../../form-problem.ts';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { EditProposal, proposalFormName } from './edit-proposal.tsx';

interface WaitingProposalProps {
  proposal: MyProposal;
}

/** Lets the proposer correct or withdraw a proposal that waits for a decision. */
export function WaitingProposal({ proposal }: WaitingProposalProps) {
  const hasDraft = useHasDraft(proposalFormName(proposal));
  const [step, setStep] = useState<'read' | 'edit' | 'edited' | 'confirm' | 'keep'>(hasDraft ? 'edit' : 'read');
  const withdraw = useGuardedMutation({
    mutationFn: () => request(withdrawMyProposal, { params: { id: proposal.id } }),
    onSuccess: async () => {
      notify.success('Proposal withdrawn.');
      await invalidateReads(getMyProposals);
    },
    onError: (error) => notify.failure(actionFailureText(error, 'The proposal was not withdrawn.')),
  });
  if (step === 'edit') {
    return <EditProposal proposal={proposal} onDone={() => setStep('edited')} />;
  }
  if (step === 'confirm') {
    return (
      <div className="flex flex-wrap items-center gap-3">
        <p className="grow">
          {proposal.review ? 'Withdraw your proposal, with your review?' : 'Withdraw your proposal?'}
        </p>
        <Button variant="danger" isPending={withdraw.isPending} onClick={() => withdraw.mutate()}>
          Yes, withdraw it
        </Button>
        {/* The safe button has the focus: pressing Enter twice must not withdraw. */}
        <Button variant="quiet" ref={takeFocus} onClick={() => setStep('keep')}>
          Keep it
        </Button>
      </div>
    );
  }
  return (
    <p className="flex gap-4">
      <button
        type="button"
        ref={step === 'edited' ? takeFocus : undefined}
        className="text-button"
        onClick={() => setStep('edit')}
      >
        Edit
      </button>
      <button
        type="button"
        ref={step === 'keep' ? takeFocus : undefined}
        className="text-button"
        onClick={() => setStep('confirm')}
      >
        Withdraw
      </button>
    </p>
  );
}
