import { useState } from 'react';
import type { Category } from '../../../contract/categories.ts';
import { type Entry, entryCalls, entryName } from '../../../contract/entries.ts';
import { inputLimits } from '../../../contract/fields.ts';
import { foldSearch } from '../../../contract/folding.ts';
import { categoryPages, pageAddress } from '../../../contract/pages.ts';
import { type ProposedReview, proposeEntry } from '../../../contract/proposals.ts';
import { readBackground } from '../../../contract/reviews.ts';
import { request } from '../../api.ts';
import { TextArea } from '../../components/form/fields.tsx';
import { readField } from '../../form-problem.ts';
import { type Draft, EMPTY_DRAFT, findProblems } from '../reviews/drafts.ts';
import { ReviewFields } from '../reviews/review-fields.tsx';
import { ProposalDialog, SIMILAR_MAX } from './proposal-dialog.tsx';

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
    .slice(0, SIMILAR_MAX);
}

const isBegun = ({ rating, review }: Draft) => rating > 0 || review.trim() !== '';

function reviewOf(draft: Draft): { review?: ProposedReview } {
  const { rating, review, isAnonymous } = draft;
  return isBegun(draft) ? { review: { rating, review, isAnonymous, ...readBackground(draft) } } : {};
}

interface EntryDialogProps {
  category: Category;
  schoolId: number;
  /** Undefined while it is loading. */
  schoolName: string | undefined;
  entries: readonly Entry[];
  onClose: () => void;
}

/** The form to propose an entry, with its first review for those who want to write one. */
export function EntryDialog({ category, schoolId, schoolName, entries, onClose }: EntryDialogProps) {
  // The review as a whole is optional here.
  const { requiresReviewText: _, ...optional } = category;
  const [name, setName] = useState('');
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  return (
    <ProposalDialog
      title="Add what is missing"
      about={
        schoolName !== undefined && (
          <>
            {category.label} at <bdi>{schoolName}</bdi>
          </>
        )
      }
      schema={proposeEntry.body}
      nameField={{ name: 'name', label: 'Name', help: `Such as “${category.example}”` }}
      name={name}
      onName={setName}
      similar={findEntries(category, entries, name)}
      read={(form) => ({ name: name.trim(), description: readField(form, 'description').trim() })}
      check={(fields) => {
        if (fields.name === '') return [{ field: 'name', text: 'Please name it.' }];
        return isBegun(draft) ? findProblems(draft) : [];
      }}
      send={(fields) =>
        request(proposeEntry, { body: { schoolId, category: category.kind, ...fields, ...reviewOf(draft) } })
      }
      notSent="It was not sent: "
      pathOf={({ entryId }) =>
        entryId === undefined ? undefined : pageAddress(categoryPages(category).reviews, entryId)
      }
      lists={[entryCalls(category).list]}
      note={isBegun(draft) && 'Your review is posted with it, dated today.'}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <TextArea
            label="Description"
            name="description"
            rows={2}
            {...inputLimits(proposeEntry.body, 'description')}
            help="If you like"
            error={problem.of('description')}
          />
          <fieldset className="grid min-w-0 gap-3 border-t border-line pt-3">
            <legend className="float-left mb-1 w-full text-lg font-semibold">Your review, if you like</legend>
            <ReviewFields
              category={optional}
              draft={draft}
              onChange={(part) => setDraft({ ...draft, ...part })}
              problemOf={problem.of}
            />
          </fieldset>
        </>
      )}
    </ProposalDialog>
  );
}
