import { type RefObject, useState } from 'react';
import { useNavigate } from 'react-router';
import { entryCalls, entryName } from '../../../contract/entries.ts';
import { inputLimits } from '../../../contract/fields.ts';
import { nameKey } from '../../../contract/folding.ts';
import { type ProposalMode, proposeEntry } from '../../../contract/proposals.ts';
import { type PostedReview, reviewCalls } from '../../../contract/reviews.ts';
import { invalidateReads } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { Combobox } from '../../components/form/combobox.tsx';
import { DraftNote, useDraft } from '../../draft.tsx';
import { useForm } from '../../form.ts';
import { useSession } from '../../session.ts';
import type { EntryPlace } from '../../shared/proposals/entry-dialog.tsx';
import { sendEntryProposal, showProposed, similarEntries } from '../../shared/proposals/proposed-entries.ts';
import { EMPTY_DRAFT, findProblems } from '../../shared/reviews/drafts.ts';
import { refetchAsDeleted, useOwnReview } from '../../shared/reviews/reading.ts';
import { proposalMode } from '../../site.ts';
import {
  isDuplicate,
  isGone,
  ReviewForm,
  ReviewInputs,
  reviewFailureText,
  reviewFormName,
  sendReview,
  showSent,
} from './review-form.tsx';
import { ReplacingNote, useReplaced } from './second-review.tsx';
import { useEdit } from './writing.tsx';

/** The help below a new name, by the mode of proposals: what happens to the review. */
const NEW_NAME_HELP: Readonly<Record<ProposalMode, string>> = {
  review: 'New here: an admin looks at it first and mails you. Your review is posted with it.',
  open: 'New here: it is added with your review.',
  off: 'Choose one of those that are there.',
};

const EMPTY_FORM = { name: '', ...EMPTY_DRAFT };

interface WriteHereProps extends Omit<EntryPlace, 'schoolName'> {
  form: RefObject<HTMLFormElement | null>;
  /** Called after a change, with the review that was posted, if one was. */
  onDone: (posted?: PostedReview) => void;
}

/** Writes a review of an entry of the category, or of one that is missing, which is then proposed with the review. */
export function WriteHere({ category, schoolId, entries, form, onDone }: WriteHereProps) {
  const session = useSession();
  const navigate = useNavigate();
  const [hasReturned, setHasReturned] = useState(false);
  const [wasRefused, setWasRefused] = useState(false);
  const draft = useDraft('review', EMPTY_FORM);
  const { name: typed, ...review } = draft.values;
  const name = typed.trim();
  const chosenEntry =
    name === '' ? undefined : entries.find((entry) => nameKey(entryName(category, entry)) === nameKey(name));
  const own = useOwnReview(category, chosenEntry?.id);
  const edit = useEdit(own);
  const { replaced, endReplacing } = useReplaced(own, { values: review, discard: draft.discard });
  const isSettled = !session || !chosenEntry || own !== undefined;
  const mode = proposalMode();

  const { onSubmit, problem, isPending } = useForm({
    draft,
    loginTo: `post your review of ${name || 'this'}`,
    read: () => ({ name, ...review }),
    check: (values) => {
      if (name === '') return [{ field: 'name', text: 'Please name it.' }];
      if (!chosenEntry && mode === 'off') return [{ field: 'name', text: NEW_NAME_HELP.off }];
      return findProblems(values);
    },
    send: async (values) => {
      if (!chosenEntry) return { path: await sendEntryProposal(category, { schoolId, name }, review) };
      const subject = { category, entryId: chosenEntry.id, editing: replaced };
      return { subject, posted: await sendReview(subject, values, session) };
    },
    onSent: async (sent) => {
      if (sent.subject) {
        await showSent(sent.subject, sent.posted);
        return finish(sent.posted);
      }
      await showProposed(sent.path, [entryCalls(category).list]);
      if (sent.path) void navigate(sent.path);
      else onDone();
    },
    onFailure: (error) => {
      setWasRefused(isDuplicate(error));
      if (chosenEntry && isGone(error, { editing: replaced })) void refetchAsDeleted(category, chosenEntry.id);
      // The entry exists by now, or the user has reviewed it already.
      if (isDuplicate(error)) void invalidateReads(entryCalls(category).list, reviewCalls(category).mine);
    },
    failureOf: (error) => reviewFailureText(error, { editing: replaced }),
    keepsFocus: true,
  });

  function finish(posted?: PostedReview): void {
    endReplacing();
    onDone(posted);
  }

  function cancel(): void {
    draft.discard();
    finish();
  }

  const isOpen = !own || replaced !== undefined;
  const isEditing = !isOpen && edit.isOpen;
  return (
    <>
      <form ref={form} method="post" noValidate onSubmit={onSubmit} className="grid gap-4">
        <DraftNote draft={draft} isSettled={isSettled} onReturn={() => setHasReturned(true)} hidesNote={isEditing} />
        <Combobox
          label={category.question}
          {...problem.field('name')}
          {...inputLimits(proposeEntry.body, 'name')}
          value={typed}
          onChange={(value) => draft.change({ name: value })}
          options={similarEntries(category, entries, name).map((entry) => entryName(category, entry))}
          help={name === '' || chosenEntry ? `Such as “${category.example}”` : NEW_NAME_HELP[mode]}
        />
        {/* Below the name, which must not move while it is typed. */}
        <ReplacingNote isShown={replaced !== undefined} takesFocus={hasReturned || wasRefused} />
        {isOpen && (
          <ReviewInputs
            category={category}
            draft={review}
            editing={replaced}
            onChange={draft.change}
            problem={problem}
            hidesRefusal={replaced !== undefined && wasRefused}
            isReady={hasReturned}
            isPending={isPending}
            onCancel={replaced && cancel}
          />
        )}
      </form>
      {!isOpen && !isEditing && (
        <div className="mt-4 grid justify-items-start gap-3">
          <p>
            You have reviewed <bdi>{name}</bdi>.
          </p>
          <Button onClick={edit.open}>Edit your review</Button>
        </div>
      )}
      {own && isEditing && (
        <div className="mt-4">
          <ReviewForm
            key={reviewFormName(own)}
            category={category}
            entryId={chosenEntry?.id ?? 0}
            entryName={name}
            editing={own}
            takesFocus={edit.isChosen}
            onDone={() => {
              edit.close();
              cancel();
            }}
            onGone={(written) => {
              edit.close();
              draft.change(written);
              onDone();
            }}
          />
        </div>
      )}
    </>
  );
}
