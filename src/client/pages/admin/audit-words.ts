import type { AuditEntry, SubjectKind } from '../../../contract/audit.ts';
import { CATEGORIES, type Category } from '../../../contract/categories.ts';
import { type ModerationAction, moderateReview, revealAuthor } from '../../../contract/moderation.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { deleteSchool, postSchool, updateSchool } from '../../../contract/schools.ts';
import { blockUser, deleteUser, updateUser } from '../../../contract/users.ts';

/** What each call and command does, as the beginning of a sentence that its subject ends. */
export const ACT_WORDS: ReadonlyMap<string, string> = new Map([
  [postSchool.name, 'Added school'],
  [updateSchool.name, 'Changed school'],
  [deleteSchool.name, 'Deleted school'],
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

/** What the reason of a changed role says. */
const ROLE_WORDS: ReadonlyMap<string | undefined, string> = new Map([
  ['an admin', 'Made admin'],
  ['no admin', 'No longer admin'],
]);

/** What the reason of a decision about a review begins with. */
const DECISION_WORDS: readonly (readonly [ModerationAction, string])[] = [
  ['hide', 'Hid review'],
  ['restore', 'Restored review'],
  ['keep', 'Kept review'],
];

/** What the reason of a block begins with. */
const BLOCK = /^(un)?blocked(: )?/;

function blockWords(reason = ''): string | undefined {
  const [found, isTaken] = BLOCK.exec(reason) ?? [];
  return found && (isTaken ? 'Unblocked user' : 'Blocked user');
}

export const KIND_WORDS: Readonly<Record<SubjectKind, string>> = {
  school: 'Schools',
  entry: 'Entries',
  review: 'Reviews',
  user: 'Users',
  old: 'Not recorded',
};

/** What was done, without the subject: "Added Housing". */
export function actWords({ act, reason }: AuditEntry): string {
  const role = act === updateUser.name ? ROLE_WORDS.get(reason) : undefined;
  const decision = act === moderateReview.name && DECISION_WORDS.find(([action]) => reason?.startsWith(action))?.[1];
  if (act === blockUser.name) return blockWords(reason) ?? (ACT_WORDS.get(act) as string);
  // A command or call of a version that this page does not know.
  return role ?? (decision || undefined) ?? ACT_WORDS.get(act) ?? act;
}

/** The reason that an admin gave; that of a changed role is part of its words, and so is how that of a block begins. */
export function reasonOf({ act, reason }: AuditEntry): string | undefined {
  if (act === blockUser.name) return reason?.replace(BLOCK, '') || undefined;
  return act === updateUser.name ? undefined : reason;
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
