import type { AuditEntry, SubjectKind } from '../../../contract/audit.ts';
import { CATEGORIES, type Category } from '../../../contract/categories.ts';
import { mergeSchools } from '../../../contract/merging.ts';
import { moderateReview, revealAuthor } from '../../../contract/moderation.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { REASONS, type ReasonKey } from '../../../contract/reasons.ts';
import { deleteSchool, postSchool, updateSchool } from '../../../contract/schools.ts';
import { blockUser, deleteUser, updateUser } from '../../../contract/users.ts';

/** What each call and command does, as the beginning of a sentence that its subject ends. */
export const ACT_WORDS: ReadonlyMap<string, string> = new Map([
  [postSchool.name, 'Added school'],
  [updateSchool.name, 'Changed school'],
  [deleteSchool.name, 'Deleted school'],
  [mergeSchools.name, 'Merged into school'],
  ...CATEGORIES.flatMap(({ calls, entryLabel }): [string, string][] => [
    [calls.create, `Added ${entryLabel}`],
    [calls.update, `Changed ${entryLabel}`],
    [calls.remove, `Deleted ${entryLabel}`],
    [calls.removeReview, `Deleted ${entryLabel} review`],
  ]),
  [moderateReview.name, 'Decided about review'],
  [revealAuthor.name, 'Asked who wrote review'],
  [updateUser.name, 'Changed role of'],
  [blockUser.name, 'Blocked or unblocked user'],
  [deleteUser.name, 'Deleted user'],
  ['admin create', 'Created admin'],
  ['admin grant', 'Made admin'],
  ['admin revoke', 'No longer admin'],
]);

/** Where the reason of an audit entry begins with what was done, and the words for that. */
const SAID_IN_REASON: ReadonlyMap<string, readonly (readonly [RegExp, string])[]> = new Map([
  [
    updateUser.name,
    [
      [/^an admin$/, 'Made admin'],
      [/^no admin$/, 'No longer admin'],
    ],
  ],
  [
    moderateReview.name,
    [
      [/^hide\b[:,]? ?/, 'Hid review'],
      [/^restore\b[:,]? ?/, 'Restored review'],
      [/^keep\b[:,]? ?/, 'Kept review'],
    ],
  ],
  [
    blockUser.name,
    [
      [/^blocked(: )?/, 'Blocked user'],
      [/^unblocked(: )?/, 'Unblocked user'],
    ],
  ],
]);

/** What a decision about a review names first: a reason of the list, after which the admin's note may follow. */
const LISTED_REASON = new RegExp(`^(${Object.keys(REASONS).join('|')})(?=$|, )`);

function readReason({ act, reason = '' }: AuditEntry): { words?: string | undefined; rest: string } {
  const [begins, words] = SAID_IN_REASON.get(act)?.find(([pattern]) => pattern.test(reason)) ?? [];
  const rest = begins ? reason.replace(begins, '') : reason;
  return { words, rest: act === moderateReview.name ? rest.replace(LISTED_REASON, wordsOf) : rest };
}

const wordsOf = (key: string) => REASONS[key as ReasonKey];

export const KIND_WORDS: Readonly<Record<SubjectKind, string>> = {
  school: 'Schools',
  entry: 'Entries',
  review: 'Reviews',
  user: 'Users',
  old: 'Not recorded',
};

/** What was done, without the subject: "Added Housing". */
export function actWords(entry: AuditEntry): string {
  // A command or call of a version that this page does not know.
  return readReason(entry).words ?? ACT_WORDS.get(entry.act) ?? entry.act;
}

/** The reason that an admin gave, without what the words for the deed say already; undefined when there is none. */
export function reasonOf(entry: AuditEntry): string | undefined {
  return readReason(entry).rest || undefined;
}

/** How the subject is called: by its name, or by its number when it is no longer there. */
export function subjectWords({ subjectName, subjectId }: AuditEntry): string {
  return subjectName ?? (subjectId === null ? '' : `no. ${subjectId}`);
}

const ownsAct = (category: Category, act: string) => Object.values(category.calls).includes(act);

/** The public page of what an entry is about; undefined when it has none or is no longer there. */
export function subjectAddress({ act, subjectKind, subjectId, subjectName }: AuditEntry): string | undefined {
  if (subjectName === undefined || subjectId === null) return undefined;
  if (subjectKind === 'school') return pageAddress(PAGES.school, subjectId);
  const category = CATEGORIES.find((one) => ownsAct(one, act));
  return subjectKind === 'entry' && category ? pageAddress(categoryPages(category).reviews, subjectId) : undefined;
}
