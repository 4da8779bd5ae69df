import { useRef, useState } from 'react';
import { findCategory } from '../../../contract/categories.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { getMyProposals, type MyProposal, withdrawMyProposal } from '../../../contract/proposals.ts';
import { actionFailureText, invalidateReads, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { TextLink } from '../../components/layout/page-link.tsx';
import { ShowMore } from '../../components/list/paged-list.tsx';
import { Stars } from '../../components/school/stars.tsx';
import { useHasDraft } from '../../draft.tsx';
import { takeFocus } from '../../form.ts';
import { dateText } from '../../format.ts';
import { useGuardedMutation } from '../../guard.ts';
import { passFocusOn } from '../../navigation.ts';
import { notify } from '../../notices.ts';
import { usePagedRead } from '../../page.ts';
import { useSession } from '../../session.ts';
import { EditProposal, proposalFormName } from './edit-proposal.tsx';

/** The page of the school or entry that a proposal became; undefined if there is none yet, or if it is deleted. */
function acceptedPath(proposal: MyProposal): string | undefined {
  const { kind, state, schoolId, entryId, isGone } = proposal;
  if (state !== 'accepted' || isGone) return undefined;
  if (kind === 'school') return pageAddress(PAGES.school, schoolId);
  const category = findCategory(proposal.category);
  return category && pageAddress(categoryPages(category).reviews, entryId);
}

/** The kind and place of a proposal. */
const aboutOf = ({ kind, location, category, schoolName }: MyProposal) =>
  kind === 'school' ? `School · ${location}` : `${findCategory(category)?.label} · ${schoolName}`;

/** The state of a proposal, as its proposer reads it. */
function stateText({ state, reason, isGone, review, reviewNotPosted }: MyProposal): string {
  if (state === 'open') return 'Waiting for an admin.';
  if (state === 'refused') return `Refused: ${reason}`;
  if (isGone) return 'Accepted. It has since been deleted.';
  if (!review) return 'Accepted';
  if (reviewNotPosted === 'authorBlocked') return 'Accepted, without your review: your account was blocked.';
  if (reviewNotPosted) return 'Accepted, without your review: you had one there already.';
  return 'Accepted, with your review';
}

/** The user's own proposals, newest first. Renders nothing if there are none. */
export function MyProposals() {
  const session = useSession();
  const query = usePagedRead(getMyProposals, {}, { enabled: session !== null });
  const heading = useRef<HTMLHeadingElement>(null);
  const proposals = query.data ?? [];
  if (proposals.length === 0) return null;
  return (
    <section ref={passFocusOn} aria-label="Your proposals" className="grid gap-2">
      <h2 ref={heading} tabIndex={-1} className="text-xl">
        Your proposals
      </h2>
      <ul className="border-t border-line">
        {proposals.map((proposal) => (
          <li
            key={proposal.id}
            ref={(row) => passFocusOn(row, () => heading.current)}
            className="grid gap-1 border-b border-line py-4"
          >
            <h3 className="text-lg leading-snug wrap-anywhere">
              <ProposalName proposal={proposal} />
            </h3>
            <p className="text-sm wrap-anywhere text-ink-soft">
              {`${aboutOf(proposal)} · ${dateText(proposal.createdAt)}`}
            </p>
            {proposal.review && (
              <>
                <p>
                  <Stars value={proposal.review.rating} />
                </p>
                <p dir="auto" className="line-clamp-3 max-w-prose font-serif whitespace-pre-line wrap-anywhere">
                  {proposal.review.review}
                </p>
              </>
            )}
            <p className="wrap-anywhere">{stateText(proposal)}</p>
            {proposal.state === 'open' && <WaitingProposal proposal={proposal} />}
          </li>
        ))}
      </ul>
      <ShowMore query={query} rows="proposals" />
    </section>
  );
}

function ProposalName({ proposal }: { proposal: MyProposal }) {
  const path = acceptedPath(proposal);
  const name = <bdi>{proposal.name ?? proposal.schoolName}</bdi>;
  return path === undefined ? name : <TextLink to={path}>{name}</TextLink>;
}

/** Lets the proposer correct or withdraw a proposal that waits for a decision. */
function WaitingProposal({ proposal }: { proposal: MyProposal }) {
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
