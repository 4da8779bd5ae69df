import { type FormEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Category } from '../../../contract/categories.ts';
import { type Entry, entryCalls, entryName } from '../../../contract/entries.ts';
import { inputLimits } from '../../../contract/fields.ts';
import { foldSearch } from '../../../contract/folding.ts';
import { categoryPages, pageAddress } from '../../../contract/pages.ts';
import { type ProposedReview, proposeEntry } from '../../../contract/proposals.ts';
import { findYearProblem, readBackground } from '../../../contract/reviews.ts';
import { failureText, keyOf, queryClient, refusedField, request } from '../../api.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { FormError } from '../../components/field-frame.tsx';
import { TextArea } from '../../components/text-area.tsx';
import { type Problem, readField, useFormProblem } from '../../form-problem.ts';
import { useGuardedMutation } from '../../guard.ts';
import { type Draft, EMPTY_DRAFT } from '../reviews/drafts.ts';
import { ReviewFields } from '../reviews/review-fields.tsx';
import { AlreadyThere, SendRow, thank } from './proposal-form.tsx';

const SHOWN = 5;

const limitsOf = (name: string) => inputLimits(proposeEntry.body, name);

/** The entries of which each typed word begins a word. */
function findEntries(category: Category, entries: readonly Entry[], typed: string) {
  const words = foldSearch(typed).split(' ').filter(Boolean);
  if (words.length === 0) return [];
  const isMeant = (name: string) => {
    const own = foldSearch(name).split(' ');
    return words.every((word) => own.some((one) => one.startsWith(word)));
  };
  const { reviews } = categoryPages(category);
  return entries
    .map((entry) => ({ id: entry.id, name: entryName(category, entry), path: pageAddress(reviews, entry.id) }))
    .filter(({ name }) => isMeant(name))
    .slice(0, SHOWN);
}

const isBegun = ({ rating, review }: Draft) => rating > 0 || review.trim() !== '';

/** The first thing that keeps a review from being sent with the proposal. */
function findProblem(draft: Draft): Problem | undefined {
  if (!isBegun(draft)) return undefined;
  if (draft.rating === 0) return { field: 'rating', text: 'Please choose a rating.' };
  if (draft.review.trim() === '') return { field: 'review', text: 'Please write your review.' };
  const wrongYear = findYearProblem(readBackground(draft), new Date().getUTCFullYear());
  return wrongYear && { field: wrongYear.field, text: wrongYear.sentence };
}

function reviewOf(draft: Draft): { review?: ProposedReview } {
  const { rating, review, isAnonymous } = draft;
  return isBegun(draft) ? { review: { rating, review, isAnonymous, ...readBackground(draft) } } : {};
}

interface EntryDialogProps {
  category: Category;
  schoolId: number;
  entries: readonly Entry[];
  onClose: () => void;
}

/** The form to propose an entry, with its first review for those who want to write one. */
export function EntryDialog({ category, schoolId, entries, onClose }: EntryDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // The review as a whole is optional here.
  const { requiresReviewText: _, ...optional } = category;
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const problem = useFormProblem();
  const propose = useGuardedMutation({
    mutationFn: (fields: { name: string; description: string }) =>
      request(proposeEntry, { body: { schoolId, category: category.kind, ...fields, ...reviewOf(draft) } }),
    onSuccess: async ({ entryId }) => {
      dialog.current?.close();
      thank(entryId !== undefined);
      if (entryId === undefined) return;
      await queryClient.invalidateQueries({ queryKey: keyOf(entryCalls(category).list) });
      void navigate(pageAddress(categoryPages(category).reviews, entryId));
    },
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = { name: name.trim(), description: readField(form, 'description').trim() };
    if (fields.name === '') return problem.tell([{ field: 'name', text: 'Please name it.' }], form);
    const found = findProblem(draft);
    if (found) return problem.tell([found], form);
    problem.clear();
    propose.mutate(fields, {
      onError: (error) => {
        const field = refusedField(error)?.replace(/^review\./, '');
        problem.tell([{ field, text: failureText(error, 'It was not sent: ') }], form);
      },
    });
  }

  return (
    <Dialog ref={dialog} title="Add what is missing" onClose={onClose}>
      <form method="post" noValidate onSubmit={submit} className="grid gap-3">
        <FormError>{problem.of()}</FormError>
        <Field
          label="Name"
          name="name"
          {...limitsOf('name')}
          value={name}
          error={problem.of('name')}
          onChange={(event) => setName(event.target.value)}
        />
        <AlreadyThere found={findEntries(category, entries, name)} />
        <TextArea
          label="Description"
          name="description"
          rows={2}
          {...limitsOf('description')}
          help="If you like"
          error={problem.of('description')}
        />
        <fieldset className="grid min-w-0 gap-3 border-t border-line pt-3">
          <legend className="float-left mb-1 w-full text-lg font-semibold">Your review, if you like</legend>
          <ReviewFields
            category={optional}
            draft={draft}
            onChange={(part) => setDraft({ ...draft, ...part })}
            problemOf={(field) => problem.of(field)}
          />
        </fieldset>
        <SendRow
          isPending={propose.isPending}
          onCancel={() => dialog.current?.close()}
          also={isBegun(draft) && 'Your review is posted with it, dated today.'}
        />
      </form>
    </Dialog>
  );
}
