import { CATEGORIES } from '../../../src/contract/categories.ts';
import { BACKGROUND_FIELDS } from '../../../src/contract/reviews.ts';

/**
 * Who may do what, written by hand and, but for the names of a category, not derived from the contract: each call of
 * the product, the status that each of nine identities gets for the very same request, and the fields of the answer.
 * `tests/api/access-matrix.test.ts` asks every cell on both engines; `docs/access.md` is this table as a page.
 *
 * Each request is about a thing of "user": their profile, their review; the body of a new review names them. Marking a
 * review as helpful, which nobody may do with their own, is about a review by "other".
 */

/** The columns, in order. The first six are nobody: an invalid token is worth no more than none. */
export const IDENTITIES = {
  none: 'sends no token',
  garbage: 'sends a token that is none',
  expired: "had an admin's session, which is over",
  forged: "sends the claims of an admin's valid session, signed with another key",
  deleted: 'was an admin and is deleted',
  reset: "holds an admin's token from before a password reset",
  other: 'is signed in and does not own the thing',
  user: 'is signed in and owns the thing',
  admin: 'is signed in, an admin, and does not own the thing',
} as const;
export type Identity = keyof typeof IDENTITIES;

export interface AccessRow {
  /** `GET /auth/getSchool/:id`, as the contract spells it. */
  readonly call: string;
  readonly status: Readonly<Record<Identity, number>>;
  /**
   * The fields of the answer to those who get one, in any order; in brackets those of each element of a list. A field
   * that may be absent ends in a question mark. `text` is plain text, `ids` a list of ids, `null` that value; empty for
   * no body. Where identities get different answers, each has its own: `user: id; other, admin: null`.
   */
  readonly fields: string;
}

//                                              none garb expi forg dele rese othe user admi
const TABLE = `
POST /auth/login                             | 200 200 200 200 200 200 200 200 200 | token
POST /auth/signup                            | 201 201 201 201 201 201 201 201 201 | id username email
POST /auth/verify                            | 200 200 200 200 200 200 200 200 200 | message
POST /auth/resend                            | 200 200 200 200 200 200 200 200 200 | message
POST /auth/forgotPassword                    | 200 200 200 200 200 200 200 200 200 | message
POST /auth/resetPassword                     | 200 200 200 200 200 200 200 200 200 | message
POST /auth/resendForgot                      | 200 200 200 200 200 200 200 200 200 | message
POST /auth/logout                            | 401 401 401 401 401 401 204 204 204 |
POST /auth/logoutAll                         | 401 401 401 401 401 401 204 204 204 |
POST /auth/changePassword                    | 401 401 401 401 401 401 200 200 200 | message
GET /auth/getMySessions                      | 401 401 401 401 401 401 200 200 200 | [id createdAt lastUsedAt isThis]
DELETE /auth/endMySession/:id                | 401 401 401 401 401 401 404 204 404 |
PUT /auth/updateMyAccount                    | 401 401 401 401 401 401 200 200 200 | token username pendingEmail
POST /auth/confirmMyEmail                    | 401 401 401 401 401 401 400 204 400 |
GET /auth/downloadMyData                     | 401 401 401 401 401 401 200 200 200 | account profile reviews appeals helpful reports savedSchools proposals sessions refusedLogins mails
POST /auth/deleteMyAccount                   | 401 401 401 401 401 401 204 204 204 |
GET /auth/schools                            | 200 200 200 200 200 200 200 200 200 | [id schoolName country]
GET /auth/getSchool/:id                      | 200 200 200 200 200 200 200 200 200 | id schoolName description location aliases
GET /auth/searchSchools                      | 200 200 200 200 200 200 200 200 200 | total schools countries
GET /auth/getSchoolFigures                   | 200 200 200 200 200 200 200 200 200 | [0 1 2]
GET /auth/getSchoolTotals                    | 200 200 200 200 200 200 200 200 200 | schools reviewed
POST /auth/postSchool                        | 401 401 401 401 401 401 403 403 201 | id schoolName description location aliases
PUT /auth/updateSchool                       | 401 401 401 401 401 401 403 403 200 | id schoolName description location aliases
DELETE /auth/deleteSchool/:id                | 401 401 401 401 401 401 403 403 204 |
GET /auth/previewMerge                       | 401 401 401 401 401 401 403 403 200 | moving joining reviews
POST /auth/mergeSchools                      | 401 401 401 401 401 401 403 403 200 | id schoolName description location aliases
GET /auth/getUsers                           | 401 401 401 401 401 401 403 403 200 | [id username isAdmin isBlocked]
PUT /auth/updateUser/:id                     | 401 401 401 401 401 401 403 403 200 | id username isAdmin isBlocked
PUT /auth/blockUser/:userId                  | 401 401 401 401 401 401 403 403 200 | id username isAdmin isBlocked
GET /auth/getUserState/:userId               | 401 401 401 401 401 401 403 403 200 | id username isVerified isAdmin isBlocked createdAt lastLoginOn sessions refusedLogins mails signedReviews
POST /auth/findUser                          | 401 401 401 401 401 401 403 403 200 | id username isVerified isAdmin isBlocked createdAt lastLoginOn sessions refusedLogins mails signedReviews
POST /auth/unlockUser/:userId                | 401 401 401 401 401 401 403 403 204 |
POST /auth/mailPasscode/:userId              | 401 401 401 401 401 401 403 403 204 |
POST /auth/endUserSessions/:userId           | 401 401 401 401 401 401 403 403 204 |
DELETE /auth/deleteUser/:id                  | 401 401 401 401 401 401 403 403 204 |
GET /auth/getAdminActs                       | 401 401 401 401 401 401 403 403 200 | [id at userId username act subjectKind subjectId subjectName]
GET /auth/getAdminActTotal                   | 401 401 401 401 401 401 403 403 200 | total
POST /auth/checkImport                       | 401 401 401 401 401 401 403 403 200 | digest adds same refused rows
POST /auth/runImport                         | 401 401 401 401 401 401 403 403 200 | digest adds same refused rows
GET /auth/getSiteNumbers                     | 401 401 401 401 401 401 403 403 200 | [day signups verified reviews reports hidden proposals schoolsWithReviews]
GET /auth/getNewestReviews                   | 401 401 401 401 401 401 403 403 200 | [{review} editedAt? category entryId entryName schoolId schoolName isNewAccount]
GET /auth/getReports                         | 401 401 401 401 401 401 403 403 200 | [reviewId review rating createdAt changedAt category entryId entryName schoolId schoolName isHidden hiddenReason? isEdited decidedText? isBurst burstEntryId? openedAt? reports earlier appeal?]
GET /auth/getOpenCounts                      | 401 401 401 401 401 401 403 403 200 | reports proposals
PUT /auth/moderateReview/:reviewId           | 401 401 401 401 401 401 403 403 200 | reviewId review rating createdAt changedAt category entryId entryName schoolId schoolName isHidden hiddenReason isEdited decidedText? isBurst burstEntryId? openedAt? reports earlier appeal?
PUT /auth/moderateBurst/:entryId             | 401 401 401 401 401 401 403 403 200 | decided
POST /auth/revealAuthor/:reviewId            | 401 401 401 401 401 401 403 403 200 | userId username
POST /auth/reportReview/:reviewId            | 401 401 401 401 401 401 403 201 201 | reviewId reason createdAt
GET /auth/getMyReviews                       | 401 401 401 401 401 401 200 200 200 | [{review} username category entryId entryName schoolId schoolName isHidden isWithdrawn isDeleted events]
POST /auth/appealReview/:reviewId            | 401 401 401 401 401 401 404 201 404 | reviewId text createdAt
GET /auth/getRemovals                        | 200 200 200 200 200 200 200 200 200 | [id at act reason stars category hash]
GET /auth/getRemovalTotals                   | 200 200 200 200 200 200 200 200 200 | stars
GET /auth/getDeleted                         | 401 401 401 401 401 401 403 403 200 | [kind id name deletedAt deletedBy reviews]
POST /auth/restoreDeleted                    | 401 401 401 401 401 401 403 403 200 | kind id name
GET /auth/getReview/:reviewId                | 200 200 200 200 200 200 200 200 200 | {review} username category entryId entryName schoolId schoolName isBeingChecked
GET /auth/getCategoryReviews/:schoolId       | 200 200 200 200 200 200 200 200 200 | [{review} username entryId entryName]
GET /auth/getEntrySummary/:entryId           | 200 200 200 200 200 200 200 200 200 | {summary}
GET /auth/getCategorySummary/:schoolId       | 200 200 200 200 200 200 200 200 200 | {summary}
GET /auth/getSchoolVoices/:schoolId          | 200 200 200 200 200 200 200 200 200 | [{voice}]
GET /auth/getEntryVoices/:schoolId           | 200 200 200 200 200 200 200 200 200 | [{voice}]
GET /auth/getVoices                          | 200 200 200 200 200 200 200 200 200 | [{voice}]
POST /auth/markHelpful/:reviewId             | 401 401 401 401 401 401 403 200 200 | helpful
DELETE /auth/markHelpful/:reviewId           | 401 401 401 401 401 401 403 200 200 | helpful
GET /auth/getMyHelpful/:entryId              | 401 401 401 401 401 401 200 200 200 | ids
GET /auth/getProfile/:userId                 | 401 401 401 401 401 401 403 200 403 | userId location major academicLevel campusSetting finance goals living personal
POST /auth/postProfile                       | 401 401 401 401 401 401 403 201 403 | userId location major academicLevel campusSetting finance goals living personal
POST /auth/recommendSchool                   | 401 401 401 401 401 401 200 200 200 | text
`;

/** What helps to decide between schools. */
const DECIDING_TABLE = `
GET /auth/getRanking                         | 200 200 200 200 200 200 200 200 200 | category priorMean priorWeight rows
GET /auth/getSchoolSummary/:schoolId         | 200 200 200 200 200 200 200 200 200 | id schoolName location totalReviews categories coverage isBeingChecked
GET /auth/compareSchools                     | 200 200 200 200 200 200 200 200 200 | schools verdicts
PUT /auth/saveSchool/:schoolId               | 401 401 401 401 401 401 204 204 204 |
DELETE /auth/saveSchool/:schoolId            | 401 401 401 401 401 401 204 204 204 |
GET /auth/getSavedSchools                    | 401 401 401 401 401 401 200 200 200 | [id schoolName location totalReviews coverage isBeingChecked]
`;

/** What people propose, and what becomes of it. */
const PROPOSAL_TABLE = `
POST /auth/proposeSchool                     | 401 401 401 401 401 401 201 201 201 | id state
POST /auth/proposeEntry                      | 401 401 401 401 401 401 201 201 201 | id state
GET /auth/getProposals                       | 401 401 401 401 401 401 403 403 200 | [id kind state createdAt schoolName location? category? name? description review? reviews? schoolId? similar]
GET /auth/getMyProposals                     | 401 401 401 401 401 401 200 200 200 | [id kind state createdAt schoolName category name description review schoolId]
PUT /auth/updateMyProposal/:id               | 401 401 401 401 401 401 404 200 404 | id kind state createdAt schoolName category name description review schoolId
DELETE /auth/withdrawMyProposal/:id          | 401 401 401 401 401 401 404 204 404 |
PUT /auth/decideProposal/:id                 | 401 401 401 401 401 401 403 403 200 | id kind state createdAt schoolName category name description review reason schoolId similar
`;

/** The same for each category: in braces a name of its row, which `tests/api/names.test.ts` checks. */
const CATEGORY_TABLE = `
GET /auth/{list}/:id                         | 200 200 200 200 200 200 200 200 200 | [id {nameField} description schoolId averageRating totalReviews isBeingChecked]
GET /auth/{nameLookup}/:id                   | 200 200 200 200 200 200 200 200 200 | {nameField}
GET /auth/{details}/:id                      | 200 200 200 200 200 200 200 200 200 | id {nameField} description schoolId schoolName
POST /auth/{create}                          | 401 401 401 401 401 401 403 403 201 | id {nameField} description schoolId averageRating totalReviews
PUT /auth/{update}                           | 401 401 401 401 401 401 403 403 200 | id {nameField} description schoolId averageRating totalReviews
DELETE /auth/{remove}/:id                    | 401 401 401 401 401 401 403 403 204 |
GET /auth/{reviews}/:id                      | 200 200 200 200 200 200 200 200 200 | [{review} username]
GET /auth/{averageRating}/:id                | 200 200 200 200 200 200 200 200 200 | averageRating
GET /auth/{totalReviews}/:id                 | 200 200 200 200 200 200 200 200 200 | totalReviews
GET /auth/{myReview}/:id                     | 401 401 401 401 401 401 200 200 200 | user: {review} username userId isHidden; other, admin: null
POST /auth/{postReview}                      | 401 401 401 401 401 401 403 201 403 | {review} userId isHidden isFirst
PUT /auth/{updateReview}                     | 401 401 401 401 401 401 403 200 403 | {review} editedAt userId isHidden
DELETE /auth/{removeReview}/:id              | 401 401 401 401 401 401 403 204 204 |
GET /auth/{leaderboard}                      | 200 200 200 200 200 200 200 200 200 | [schoolId schoolName averageRating totalReviews isBeingChecked]
`;

/** The fields of every answer that holds a review: those of `review-requests.ts` have all optional fields. */
const REVIEW_FIELDS = `id review rating createdAt ${BACKGROUND_FIELDS.join(' ')} helpful`;
const SUMMARY_FIELDS = 'averageRating totalReviews histogram recent earlier change relations isBeingChecked';
const VOICE_FIELDS = [
  'reviewId category entryId entryName schoolId schoolName quote rating',
  ...BACKGROUND_FIELDS.map((field) => `${field}?`),
  'createdAt',
].join(' ');

/** The rows of a table, with names put in. */
function readRows(table: string, names: Readonly<Record<string, unknown>> = {}): AccessRow[] {
  const put = { review: REVIEW_FIELDS, summary: SUMMARY_FIELDS, voice: VOICE_FIELDS, ...names };
  const lines = table.trim().replaceAll(/\{(\w+)\}/g, (_, name) => String(put[name as keyof typeof put]));
  return lines.split('\n').map((line) => {
    const [call = '', statuses = '', fields = ''] = line.split('|').map((cell) => cell.trim());
    const codes = statuses.split(' ').map(Number);
    const status = Object.fromEntries(Object.keys(IDENTITIES).map((identity, column) => [identity, codes[column]]));
    return { call, status: status as Record<Identity, number>, fields };
  });
}

/** Every row of all tables. */
export const ACCESS_MATRIX: readonly AccessRow[] = [
  ...readRows(TABLE),
  ...readRows(DECIDING_TABLE),
  ...readRows(PROPOSAL_TABLE),
  ...CATEGORIES.flatMap(({ calls, nameField }) => readRows(CATEGORY_TABLE, { ...calls, nameField })),
];

/** What the row says of the answer to one identity: the fields it must have, `null`, `text` or nothing. */
export function fieldsFor({ fields }: AccessRow, identity: Identity): string {
  const parts = fields.split(';').map((part) => part.split(':').map((half) => half.trim()));
  const found = parts.find(([who = '', what]) => what !== undefined && who.split(', ').includes(identity));
  return found?.[1] ?? fields;
}
