import { findCategory } from '../../../contract/categories.ts';
import { inputLimits } from '../../../contract/fields.ts';
import { getMyProposals, type MyProposal, updateMyProposal } from '../../../contract/proposals.ts';
import { backgroundInputs } from '../../../contract/reviews.ts';
import { actionFailureText, invalidateReads, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { Field, TextArea } from '../../components/form/fields.tsx';
import { DraftNote, useDraft } from '../../draft.tsx';
import { useForm } from '../../form.ts';
import { notify } from '../../notices.ts';
import { type Draft, EMPTY_DRAFT, findProblems, isBegun, proposedReview } from '../reviews/drafts.ts';
import { ReviewFields } from '../reviews/review-fields.tsx';

/** The name of the form that edits a proposal, for its draft. */
export const proposalFormName = ({ id }: MyProposal) => `proposal ${id}`;

function draftOf({ schoolName, location = '', name = '', description, review }: MyProposal) {
  const written: Draft = review
    ? {
        rating: review.rating,
        review: review.review,
        isAnonymous: review.isAnonymous ?? false,
        ...backgroundInputs(review),
      }
    : EMPTY_DRAFT;
  return { schoolName, location, name, description, ...written };
}

/** The fields of what is proposed, by their labels. */
const FIELDS = {
  school: { schoolName: 'School name', location: 'Location' },
  entry: { name: 'Name' },
} as const;

const PROBLEMS = {
  schoolName: 'Please name the school.',
  location: 'Please say where it is.',
  name: 'Please name it.',
} as const;

/** Corrects one's own proposal, and the review with it, while it waits. */
export function EditProposal({ proposal, onDone }: { proposal: MyProposal; onDone: () => void }) {
  const { id, kind, isJoined = false } = proposal;
  const draft = useDraft(proposalFormName(proposal), draftOf(proposal));
  const { schoolName, location, name, description, ...review } = draft.values;
  const category = kind === 'entry' ? findCategory(proposal.category) : undefined;
  const texts = Object.entries(FIELDS[kind]) as [keyof typeof PROBLEMS, string][];
  const { onSubmit, problem, isPending } = useForm({
    draft,
    loginTo: `save your changes to your proposal of ${name || schoolName}`,
    read: () => draft.values,
    check: (values) => {
      const missing = isJoined ? [] : texts.filter(([field]) => values[field].trim() === '');
      if (missing.length > 0) return missing.map(([field]) => ({ field, text: PROBLEMS[field] }));
      return category && isBegun(review) ? findProblems(review) : [];
    },
    send: () => {
      const proposed = kind === 'school' ? { schoolName, location, description } : { name, description };
      return request(updateMyProposal, {
        params: { id },
        body: { ...(!isJoined && proposed), ...(category && proposedReview(review)) },
      });
    },
    onSent: async () => {
      notify.success('Proposal updated!');
      await invalidateReads(getMyProposals);
      onDone();
    },
    failureOf: (error) => actionFailureText(error, 'The proposal was not changed.'),
  });

  return (
    <form method="post" noValidate onSubmit={onSubmit} className="grid max-w-prose gap-3">
      <DraftNote draft={draft} onDiscard={onDone} />
      {problem.errorOf() && <p className="font-semibold text-danger">{problem.errorOf()}</p>}
      {isJoined ? (
        <p className="text-ink-soft">Somebody proposed it before you: you can change your review.</p>
      ) : (
        <>
          {texts.map(([field, label], index) => (
            <Field
              key={field}
              label={label}
              {...problem.field(field)}
              {...inputLimits(updateMyProposal.body, field)}
              {...draft.text(field)}
              autoFocus={index === 0 && !draft.isRestored}
            />
          ))}
          <TextArea
            label="Description"
            {...problem.field('description')}
            rows={2}
            {...inputLimits(updateMyProposal.body, 'description')}
            {...draft.text('description')}
          />
        </>
      )}
      {category && (
        <ReviewFields category={category} draft={review} onChange={draft.change} problemOf={problem.errorOf} />
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isPending={isPending}>
          Save changes
        </Button>
        <Button
          variant="quiet"
          onClick={() => {
            draft.discard();
            onDone();
          }}
        >
          Cancel
        </Button>
      </div>
    </form>
  );
}
