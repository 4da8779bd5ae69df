import type { AuditEntry, SubjectKind } from '../../../contract/audit.ts';
import { CATEGORIES, type Category } from '../../../contract/categories.ts';
import { restoreDeleted } from '../../../contract/deletions.ts';
import { checkImport, runImport } from '../../../contract/imports.ts';
import { mergeSchools } from '../../../contract/merging.ts';
import { moderateBurst, moderateReview, revealAuthor } from '../../../contract/moderation.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { decideProposal } from '../../../contract/proposals.ts';
import { REASONS, type ReasonKey } from '../../../contract/reasons.ts';
import { deleteSchool, postSchool, updateSchool } from '../../../contract/schools.ts';
import { endUserSessions, findUser, mailPasscode, unlockUser } from '../../../contract/user-state.ts';
import { blockUser, deleteUser, updateUser } from '../../../contract/users.ts';

/**
 * The beginning of the sentence for each call and command; the subject ends it. They are also the choices of the filter,
 * so no two are the same.
 */
export const ACTION_TEXTS: ReadonlyMap<string, string> = new Map([
  [postSchool.name, 'Added school'],
  [updateSchool.name, 'Changed school'],
  [deleteSchool.name, 'Deleted school'],
  [mergeSchools.name, 'Merged into school'],
  ...CATEGORIES.flatMap(({ calls, entryLabel }): [string, string][] => [
    [calls.create, `Added ${entryLabel}`],
    [calls.update, `Changed ${entryLabel}`],
    [calls.remove, `Deleted ${entryLabel}`],
    [calls.removeReview, `Hid ${entryLabel} review`],
  ]),
  [restoreDeleted.name, 'Brought back'],
  [moderateReview.name, 'Decided about review'],
  [moderateBurst.name, 'Decided about review of a burst'],
  [revealAuthor.name, 'Asked who wrote review'],
  [decideProposal.name, 'Decided about proposal'],
  [updateUser.name, 'Changed role of'],
  [blockUser.name, 'Blocked or unblocked user'],
  [deleteUser.name, 'Deleted user'],
  [checkImport.name, 'Checked a file as'],
  [runImport.name, 'Imported a file as'],
  [findUser.name, 'Looked up user'],
  [unlockUser.name, 'Unlocked user'],
  [mailPasscode.name, 'Mailed a passcode to'],
  [endUserSessions.name, 'Logged out everywhere'],
  ['admin create', 'Created admin'],
  ['admin grant', 'Made admin'],
  ['admin revoke', 'No longer admin'],
  ['admin explain', 'By command: looked up user'],
  ['admin unlock', 'By command: unlocked user'],
  ['admin passcode', 'By command: mailed a passcode to'],
  ['admin verify', 'Verified user'],
  ['admin logout', 'By command: logged out everywhere'],
  ['admin password', 'Gave a new password to'],
  ['admin export', 'Exported the data of'],
  ['admin delete', 'By command: deleted user'],
  ['admin resend', 'Mailed again to'],
]);

/** The beginning of the sentence for a call that has several actions, by its name and the action. */
const DECISION_TEXTS: ReadonlyMap<string, string> = new Map([
  [`${updateUser.name} an admin`, 'Made admin'],
  [`${updateUser.name} no admin`, 'No longer admin'],
  [`${moderateReview.name} hide`, 'Hid review'],
  [`${moderateReview.name} restore`, 'Restored review'],
  [`${moderateReview.name} keep`, 'Kept review'],
  [`${moderateBurst.name} hide`, 'Hid with its burst review'],
  [`${moderateBurst.name} keep`, 'Kept with its burst review'],
  [`${decideProposal.name} accept`, 'Accepted proposal'],
  [`${decideProposal.name} refuse`, 'Refused proposal'],
  [`${blockUser.name} blocked`, 'Blocked user'],
  [`${blockUser.name} unblocked`, 'Unblocked user'],
]);

export const SUBJECT_KIND_TEXTS: Readonly<Record<SubjectKind, string>> = {
  school: 'Schools',
  entry: 'Entries',
  review: 'Reviews',
  user: 'Users',
  proposal: 'Proposals',
  old: 'Not recorded',
};

/** The sentence about an audit entry without its subject: "Added Housing". */
export function actionText({ act: callName, details }: AuditEntry): string {
  // Fallback: a call or command of a version that this page does not know.
  return DECISION_TEXTS.get(`${callName} ${details?.action}`) ?? ACTION_TEXTS.get(callName) ?? callName;
}

/** The admin's reason and note; undefined when there are none. */
export function reasonOf({ act, reason: ownReason, details = { reason: ownReason } }: AuditEntry): string | undefined {
  const { reason = '', note } = details;
  const isListed = act === moderateReview.name || act === moderateBurst.name;
  const words = isListed ? (REASONS[reason as ReasonKey] ?? reason) : reason;
  return [words, note].filter(Boolean).join(', ') || undefined;
}

/** The name of the subject, or its number if it no longer exists. */
export function subjectText({ subjectName, subjectId }: AuditEntry): string {
  return subjectName ?? (subjectId === null ? '' : `no. ${subjectId}`);
}

const hasCall = (category: Category, callName: string) => Object.values(category.calls).includes(callName);

/** The public page of an audit entry's subject; undefined if the subject has none or no longer exists. */
export function subjectAddress({ act, subjectKind, subjectId, subjectName }: AuditEntry): string | undefined {
  if (subjectName === undefined || subjectId === null) return undefined;
  if (subjectKind === 'school') return pageAddress(PAGES.school, subjectId);
  const category = CATEGORIES.find((one) => hasCall(one, act));
  return subjectKind === 'entry' && category ? pageAddress(categoryPages(category).reviews, subjectId) : undefined;
}
