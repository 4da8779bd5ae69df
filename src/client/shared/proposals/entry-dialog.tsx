import type { Category } from '../../../contract/categories.ts';
import { type Entry, entryCalls, entryName } from '../../../contract/entries.ts';
import { inputLimits } from '../../../contract/fields.ts';
import { categoryPages, pageAddress } from '../../../contract/pages.ts';
import { proposeEntry } from '../../../contract/proposals.ts';
import { TextArea } from '../../components/form/fields.tsx';
import { useDraft } from '../../draft.tsx';
import { type Draft, EMPTY_DRAFT, findProblems, isBegun } from '../reviews/drafts.ts';
import { ReviewFields } from '../reviews/review-fields.tsx';
import { ProposalDialog, SIMILAR_MAX } from './proposal-dialog.tsx';
import { sendEntryProposal, similarEntries } from './proposed-entries.ts';

/** The existing entries with a name like the typed one. */
function findSimilar(category: Category, entries: readonly Entry[], typed: string) {
  if (typed.trim() === '') return [];
  const { reviews } = categoryPages(category);
  return similarEntries(category, entries, typed)
    .map((entry) => ({ id: entry.id, name: entryName(category, entry), path: pageAddress(reviews, entry.id) }))
    .slice(0, SIMILAR_MAX);
}

interface ProposalDraft extends Draft {
  name: string;
  description: string;
}

const EMPTY_FORM: ProposalDraft = { name: '', description: '', ...EMPTY_DRAFT };

/** A category at a school, with the entries that it has already. */
export interface EntryPlace {
  category: Category;
  schoolId: number;
  /** Undefined while it is loading. */
  schoolName: string | undefined;
  entries: readonly Entry[];
}

interface EntryDialogProps extends EntryPlace {
  /** The name of the form. */
  form: string;
  onClose: () => void;
}

/** The form to propose an entry, with its first review for those who want to write one. */
export function EntryDialog({ form, category, schoolId, schoolName, entries, onClose }: EntryDialogProps) {
  // The review as a whole is optional here, and so is its text.
  const { requiresReviewText: _, ...categoryWithOptionalText } = category;
  const draft = useDraft(form, EMPTY_FORM);
  const { name, description, ...review } = draft.values;
  return (
    <ProposalDialog
      draft={draft}
      title="Add what is missing"
      about={
        schoolName !== undefined && (
          <span>
            {`${category.label} at `}
            <bdi>{schoolName}</bdi>
          </span>
        )
      }
      schema={proposeEntry.body}
      nameField={{ name: 'name', label: 'Name', help: `Such as “${category.example}”`, ...draft.text('name') }}
      similar={findSimilar(category, entries, name)}
      read={() => ({ name: name.trim(), description: description.trim() })}
      check={(fields) => {
        if (fields.name === '') return [{ field: 'name', text: 'Please name it.' }];
        return isBegun(review) ? findProblems(review) : [];
      }}
      send={(fields) => sendEntryProposal(category, { schoolId, ...fields }, review)}
      notSent="It was not sent: "
      lists={[entryCalls(category).list]}
      note={isBegun(review) && 'Your review is posted with it, dated today.'}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <TextArea
            label="Description"
            {...problem.field('description')}
            rows={2}
            {...inputLimits(proposeEntry.body, 'description')}
            {...draft.text('description')}
            help="If you like"
          />
          <fieldset className="grid min-w-0 gap-3 border-t border-line pt-3">
            <legend className="float-left mb-1 w-full text-lg font-semibold">Your review, if you like</legend>
            <ReviewFields
              category={categoryWithOptionalText}
              draft={review}
              onChange={draft.change}
              problemOf={problem.errorOf}
            />
          </fieldset>
        </>
      )}
    </ProposalDialog>
  );
}
