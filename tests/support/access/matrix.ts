/**
 * Who may do what, written out by hand and made from nothing: each call of the product, what each of nine identities
 * is answered when it asks the very same thing, and the fields of what it gets. `tests/api/access-matrix.test.ts` asks
 * every cell on both engines; `docs/access.md` is this table as a page.
 *
 * The thing asked for belongs to "user": their profile, their review of an entry; the body of a new review names them.
 */

/** The columns, in their order. The first six are nobody: a token that is no good is worth as little as none. */
export const IDENTITIES = {
  none: 'sends no token',
  garbage: 'sends a token that is none',
  expired: "had an admin's session, which is over",
  forged: "sends the claims of an admin's live session, signed with another key",
  deleted: 'was an admin and is deleted',
  reset: "holds an admin's token from before a password reset",
  other: 'is signed in and is not whom the thing belongs to',
  user: 'is signed in and is whom the thing belongs to',
  admin: 'is signed in, an admin, and not whom the thing belongs to',
} as const;
export type Identity = keyof typeof IDENTITIES;

export interface AccessRow {
  /** `GET /auth/getSchool/:id`, as the contract spells it. */
  readonly call: string;
  readonly status: Readonly<Record<Identity, number>>;
  /**
   * The fields of the answer to those who get one, in any order; in brackets those of each element of a list; `text`
   * for plain text; `null`; empty for none. What differs is told apart: `user: id; other, admin: null`.
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
GET /auth/schools                            | 200 200 200 200 200 200 200 200 200 | [id schoolName]
GET /auth/getSchool/:id                      | 200 200 200 200 200 200 200 200 200 | id schoolName description location
POST /auth/postSchool                        | 401 401 401 401 401 401 403 403 201 | id schoolName description location
PUT /auth/updateSchool                       | 401 401 401 401 401 401 403 403 200 | id schoolName description location
DELETE /auth/deleteSchool/:id                | 401 401 401 401 401 401 403 403 204 |
GET /auth/getAthletics/:id                   | 200 200 200 200 200 200 200 200 200 | [id category description schoolId]
GET /auth/getCategory/:id                    | 200 200 200 200 200 200 200 200 200 | category
GET /auth/getAthleticsEntry/:id              | 200 200 200 200 200 200 200 200 200 | id category description schoolId schoolName
POST /auth/postAthletics                     | 401 401 401 401 401 401 403 403 201 | id category description schoolId
PUT /auth/updateAthletics                    | 401 401 401 401 401 401 403 403 200 | id category description schoolId
DELETE /auth/deleteAthletics/:id             | 401 401 401 401 401 401 403 403 204 |
GET /auth/getClubs/:id                       | 200 200 200 200 200 200 200 200 200 | [id clubName description schoolId]
GET /auth/getClubName/:id                    | 200 200 200 200 200 200 200 200 200 | clubName
GET /auth/getClubsEntry/:id                  | 200 200 200 200 200 200 200 200 200 | id clubName description schoolId schoolName
POST /auth/postClubs                         | 401 401 401 401 401 401 403 403 201 | id clubName description schoolId
PUT /auth/updateClubs                        | 401 401 401 401 401 401 403 403 200 | id clubName description schoolId
DELETE /auth/deleteClubs/:id                 | 401 401 401 401 401 401 403 403 204 |
GET /auth/getHousing/:id                     | 200 200 200 200 200 200 200 200 200 | [id type description schoolId]
GET /auth/getHousingType/:id                 | 200 200 200 200 200 200 200 200 200 | type
GET /auth/getHousingEntry/:id                | 200 200 200 200 200 200 200 200 200 | id type description schoolId schoolName
POST /auth/postHousing                       | 401 401 401 401 401 401 403 403 201 | id type description schoolId
PUT /auth/updateHousing                      | 401 401 401 401 401 401 403 403 200 | id type description schoolId
DELETE /auth/deleteHousing/:id               | 401 401 401 401 401 401 403 403 204 |
GET /auth/getJobs/:id                        | 200 200 200 200 200 200 200 200 200 | [id category description schoolId]
GET /auth/getJobsCategory/:id                | 200 200 200 200 200 200 200 200 200 | category
GET /auth/getJobsEntry/:id                   | 200 200 200 200 200 200 200 200 200 | id category description schoolId schoolName
POST /auth/postJobs                          | 401 401 401 401 401 401 403 403 201 | id category description schoolId
PUT /auth/updateJobs                         | 401 401 401 401 401 401 403 403 200 | id category description schoolId
DELETE /auth/deleteJobs/:id                  | 401 401 401 401 401 401 403 403 204 |
GET /auth/getLifeStyles/:id                  | 200 200 200 200 200 200 200 200 200 | [id category description schoolId]
GET /auth/getLifeStylesCategory/:id          | 200 200 200 200 200 200 200 200 200 | category
GET /auth/getLifeStylesEntry/:id             | 200 200 200 200 200 200 200 200 200 | id category description schoolId schoolName
POST /auth/postLifeStyles                    | 401 401 401 401 401 401 403 403 201 | id category description schoolId
PUT /auth/updateLifeStyles                   | 401 401 401 401 401 401 403 403 200 | id category description schoolId
DELETE /auth/deleteLifeStyles/:id            | 401 401 401 401 401 401 403 403 204 |
GET /auth/getMajors/:id                      | 200 200 200 200 200 200 200 200 200 | [id majorName description schoolId]
GET /auth/getMajorsName/:id                  | 200 200 200 200 200 200 200 200 200 | majorName
GET /auth/getMajorsEntry/:id                 | 200 200 200 200 200 200 200 200 200 | id majorName description schoolId schoolName
POST /auth/postMajors                        | 401 401 401 401 401 401 403 403 201 | id majorName description schoolId
PUT /auth/updateMajors                       | 401 401 401 401 401 401 403 403 200 | id majorName description schoolId
DELETE /auth/deleteMajors/:id                | 401 401 401 401 401 401 403 403 204 |
GET /auth/getOthers/:id                      | 200 200 200 200 200 200 200 200 200 | [id category description schoolId]
GET /auth/getOthersCategory/:id              | 200 200 200 200 200 200 200 200 200 | category
GET /auth/getOthersEntry/:id                 | 200 200 200 200 200 200 200 200 200 | id category description schoolId schoolName
POST /auth/postOthers                        | 401 401 401 401 401 401 403 403 201 | id category description schoolId
PUT /auth/updateOthers                       | 401 401 401 401 401 401 403 403 200 | id category description schoolId
DELETE /auth/deleteOthers/:id                | 401 401 401 401 401 401 403 403 204 |
GET /auth/getAthleticsReview/:id             | 200 200 200 200 200 200 200 200 200 | [id review rating createdAt username]
GET /auth/getAthleticsAverageRating/:id      | 200 200 200 200 200 200 200 200 200 | averageRating
GET /auth/getAthleticsTotalReviews/:id       | 200 200 200 200 200 200 200 200 200 | totalReviews
GET /auth/getMyAthleticsReview/:id           | 401 401 401 401 401 401 200 200 200 | user: id review rating createdAt username userId; other, admin: null
POST /auth/postAthleticsReview               | 401 401 401 401 401 401 403 201 403 | id review rating createdAt userId
PUT /auth/updateAthleticsReview              | 401 401 401 401 401 401 403 200 403 | id review rating createdAt editedAt userId
DELETE /auth/deleteAthleticsReview/:id       | 401 401 401 401 401 401 403 204 204 |
GET /auth/getClubsReview/:id                 | 200 200 200 200 200 200 200 200 200 | [id review rating createdAt username]
GET /auth/getClubsAverageRating/:id          | 200 200 200 200 200 200 200 200 200 | averageRating
GET /auth/getClubsTotalReviews/:id           | 200 200 200 200 200 200 200 200 200 | totalReviews
GET /auth/getMyClubsReview/:id               | 401 401 401 401 401 401 200 200 200 | user: id review rating createdAt username userId; other, admin: null
POST /auth/postClubsReview                   | 401 401 401 401 401 401 403 201 403 | id review rating createdAt userId
PUT /auth/updateClubsReview                  | 401 401 401 401 401 401 403 200 403 | id review rating createdAt editedAt userId
DELETE /auth/deleteClubsReview/:id           | 401 401 401 401 401 401 403 204 204 |
GET /auth/getHousingReview/:id               | 200 200 200 200 200 200 200 200 200 | [id review rating createdAt username]
GET /auth/getHousingAverageRating/:id        | 200 200 200 200 200 200 200 200 200 | averageRating
GET /auth/getHousingTotalReviews/:id         | 200 200 200 200 200 200 200 200 200 | totalReviews
GET /auth/getMyHousingReview/:id             | 401 401 401 401 401 401 200 200 200 | user: id review rating createdAt username userId; other, admin: null
POST /auth/postHousingReview                 | 401 401 401 401 401 401 403 201 403 | id review rating createdAt userId
PUT /auth/updateHousingReview                | 401 401 401 401 401 401 403 200 403 | id review rating createdAt editedAt userId
DELETE /auth/deleteHousingReview/:id         | 401 401 401 401 401 401 403 204 204 |
GET /auth/getJobsReview/:id                  | 200 200 200 200 200 200 200 200 200 | [id review rating createdAt username]
GET /auth/getJobsAverageRating/:id           | 200 200 200 200 200 200 200 200 200 | averageRating
GET /auth/getJobsTotalReviews/:id            | 200 200 200 200 200 200 200 200 200 | totalReviews
GET /auth/getMyJobsReview/:id                | 401 401 401 401 401 401 200 200 200 | user: id review rating createdAt username userId; other, admin: null
POST /auth/postJobsReview                    | 401 401 401 401 401 401 403 201 403 | id review rating createdAt userId
PUT /auth/updateJobsReview                   | 401 401 401 401 401 401 403 200 403 | id review rating createdAt editedAt userId
DELETE /auth/deleteJobsReview/:id            | 401 401 401 401 401 401 403 204 204 |
GET /auth/getLifeStylesReview/:id            | 200 200 200 200 200 200 200 200 200 | [id review rating createdAt username]
GET /auth/getLifeStylesAverageRating/:id     | 200 200 200 200 200 200 200 200 200 | averageRating
GET /auth/getLifeStylesTotalReviews/:id      | 200 200 200 200 200 200 200 200 200 | totalReviews
GET /auth/getMyLifeStylesReview/:id          | 401 401 401 401 401 401 200 200 200 | user: id review rating createdAt username userId; other, admin: null
POST /auth/postLifeStylesReview              | 401 401 401 401 401 401 403 201 403 | id review rating createdAt userId
PUT /auth/updateLifeStylesReview             | 401 401 401 401 401 401 403 200 403 | id review rating createdAt editedAt userId
DELETE /auth/deleteLifeStylesReview/:id      | 401 401 401 401 401 401 403 204 204 |
GET /auth/getMajorsReview/:id                | 200 200 200 200 200 200 200 200 200 | [id review rating createdAt username]
GET /auth/getMajorsAverageRating/:id         | 200 200 200 200 200 200 200 200 200 | averageRating
GET /auth/getMajorsTotalReviews/:id          | 200 200 200 200 200 200 200 200 200 | totalReviews
GET /auth/getMyMajorsReview/:id              | 401 401 401 401 401 401 200 200 200 | user: id review rating createdAt username userId; other, admin: null
POST /auth/postMajorsReview                  | 401 401 401 401 401 401 403 201 403 | id review rating createdAt userId
PUT /auth/updateMajorsReview                 | 401 401 401 401 401 401 403 200 403 | id review rating createdAt editedAt userId
DELETE /auth/deleteMajorsReview/:id          | 401 401 401 401 401 401 403 204 204 |
GET /auth/getOthersReview/:id                | 200 200 200 200 200 200 200 200 200 | [id review rating createdAt username]
GET /auth/getOthersAverageRating/:id         | 200 200 200 200 200 200 200 200 200 | averageRating
GET /auth/getOthersTotalReviews/:id          | 200 200 200 200 200 200 200 200 200 | totalReviews
GET /auth/getMyOthersReview/:id              | 401 401 401 401 401 401 200 200 200 | user: id review rating createdAt username userId; other, admin: null
POST /auth/postOthersReview                  | 401 401 401 401 401 401 403 201 403 | id review rating createdAt userId
PUT /auth/updateOthersReview                 | 401 401 401 401 401 401 403 200 403 | id review rating createdAt editedAt userId
DELETE /auth/deleteOthersReview/:id          | 401 401 401 401 401 401 403 204 204 |
GET /auth/getUsers                           | 401 401 401 401 401 401 403 403 200 | [id username isAdmin]
PUT /auth/updateUser/:id                     | 401 401 401 401 401 401 403 403 200 | id username isAdmin
DELETE /auth/deleteUser/:id                  | 401 401 401 401 401 401 403 403 204 |
GET /auth/getAdminActs                       | 401 401 401 401 401 401 403 403 200 | [id at userId username act subjectKind subjectId subjectName]
GET /auth/getNewestReviews                   | 401 401 401 401 401 401 403 403 200 | [id review rating createdAt category entryId entryName schoolId schoolName isNewAccount]
GET /auth/getProfile/:userId                 | 401 401 401 401 401 401 403 200 403 | userId location major academicLevel campusSetting finance goals living personal
POST /auth/postProfile                       | 401 401 401 401 401 401 403 201 403 | userId location major academicLevel campusSetting finance goals living personal
POST /auth/recommendSchool                   | 401 401 401 401 401 401 200 200 200 | text
GET /auth/getAllSchoolsAthleticsAverage      | 200 200 200 200 200 200 200 200 200 | [schoolName averageRating]
GET /auth/getAllSchoolsClubsAverage          | 200 200 200 200 200 200 200 200 200 | [schoolName averageRating]
GET /auth/getAllSchoolsHousingAverage        | 200 200 200 200 200 200 200 200 200 | [schoolName averageRating]
GET /auth/getAllSchoolsJobsAverage           | 200 200 200 200 200 200 200 200 200 | [schoolName averageRating]
GET /auth/getAllSchoolsLifeStyleAverage      | 200 200 200 200 200 200 200 200 200 | [schoolName averageRating]
GET /auth/getAllSchoolsMajorsAverage         | 200 200 200 200 200 200 200 200 200 | [schoolName averageRating]
GET /auth/getAllSchoolsOthersAverage         | 200 200 200 200 200 200 200 200 200 | [schoolName averageRating]
`;

/** Every row of the table. */
export const ACCESS_MATRIX: readonly AccessRow[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [call = '', statuses = '', fields = ''] = line.split('|').map((cell) => cell.trim());
    const given = statuses.split(' ').map(Number);
    const status = Object.fromEntries(Object.keys(IDENTITIES).map((identity, column) => [identity, given[column]]));
    return { call, status: status as Record<Identity, number>, fields };
  });

/** What the row says of the answer to one identity: the fields it must have, `null`, `text` or nothing. */
export function fieldsFor({ fields }: AccessRow, identity: Identity): string {
  const parts = fields.split(';').map((part) => part.split(':').map((half) => half.trim()));
  const found = parts.find(([who = '', what]) => what !== undefined && who.split(', ').includes(identity));
  return found?.[1] ?? fields;
}
