import * as Type from 'typebox';
import { Email, Passcode, TypedPassword, Username } from './accounts.ts';
import { defineCall } from './call.ts';
import { Id, IdParams, Instant } from './fields.ts';
import { MyReview } from './my-reviews.ts';
import { Profile } from './profiles.ts';
import { MyProposal } from './proposals.ts';
import { Reason } from './reasons.ts';
import { MailState, RefusedLogin } from './user-state.ts';

/** A user may change their username once in this many days. */
export const RENAME_DAYS = 30;
/** For how many days nobody else can take a username that its owner gave up. */
export const FORMER_NAME_DAYS = 365;
/** For how many hours a new email waits for its passcode. */
export const NEW_EMAIL_HOURS = 24;

const MySession = Type.Object({
  id: Id,
  createdAt: Instant,
  /** Exact to ten minutes. */
  lastUsedAt: Instant,
  /** Whether it is the session of this request. */
  isThis: Type.Boolean(),
});
export type MySession = Type.Static<typeof MySession>;

export const getMySessions = defineCall({
  name: 'getMySessions',
  summary: "Where the caller is signed in: the caller's sessions, the one used last first",
  access: 'signed-in',
  answer: Type.Array(MySession),
});

export const endMySession = defineCall({
  name: 'endMySession',
  method: 'DELETE',
  summary: "End one of the caller's sessions",
  access: 'signed-in',
  refuses: [404],
  params: IdParams,
});

export const updateMyAccount = defineCall({
  name: 'updateMyAccount',
  method: 'PUT',
  summary: `Change the caller's username, once in ${RENAME_DAYS} days, or ask for another email, which counts once its passcode is entered`,
  access: 'signed-in',
  refuses: [409],
  body: Type.Object({
    password: TypedPassword,
    username: Type.Optional(Username),
    email: Type.Optional(Email),
  }),
  answer: Type.Object({
    /** A new token of the same session, with the new username. Only present when a username was sent. */
    token: Type.Optional(Type.String()),
    username: Type.String(),
    /** The email that waits for its passcode, if there is one. */
    pendingEmail: Type.Optional(Type.String()),
  }),
});

export const confirmMyEmail = defineCall({
  name: 'confirmMyEmail',
  method: 'POST',
  summary: "Make the pending email the caller's, with the passcode mailed there; ends the caller's other sessions",
  access: 'signed-in',
  refuses: [409],
  body: Type.Object({ code: Passcode }),
});

/** Everything that is stored about the caller, and nothing about others. */
const MyData = Type.Object({
  account: Type.Object({
    id: Id,
    username: Type.String(),
    email: Type.String(),
    pendingEmail: Type.Optional(Type.String()),
    isAdmin: Type.Boolean(),
    createdAt: Instant,
    verifiedAt: Type.Optional(Instant),
    lastLoginOn: Type.Optional(Type.String({ format: 'date' })),
    /** Only in the export for somebody who is blocked, and so cannot log in to download it. */
    blockedReason: Type.Optional(Type.String()),
  }),
  profile: Type.Union([Profile, Type.Null()]),
  reviews: Type.Array(MyReview),
  appeals: Type.Array(Type.Object({ reviewId: Id, text: Type.String(), createdAt: Instant })),
  /** The reviews that the caller marked as helpful. */
  helpful: Type.Array(Id),
  reports: Type.Array(
    Type.Object({ reviewId: Id, reason: Reason, note: Type.Optional(Type.String()), createdAt: Instant }),
  ),
  savedSchools: Type.Array(Type.Object({ schoolId: Id, schoolName: Type.String(), savedAt: Instant })),
  proposals: Type.Array(MyProposal),
  sessions: Type.Array(MySession),
  refusedLogins: Type.Array(RefusedLogin),
  mails: Type.Array(MailState),
});
export type MyData = Type.Static<typeof MyData>;

export const downloadMyData = defineCall({
  name: 'downloadMyData',
  summary: 'Everything that is stored about the caller, as a file',
  access: 'signed-in',
  answer: MyData,
});

export const deleteMyAccount = defineCall({
  name: 'deleteMyAccount',
  method: 'POST',
  summary:
    "Delete the caller's account for good; its reviews stay without a name, or are deleted; the last admin stays (409)",
  access: 'signed-in',
  refuses: [409],
  body: Type.Object({
    password: TypedPassword,
    reviews: Type.Enum(['keep', 'delete'], { title: 'The reviews', says: 'The reviews must be keep or delete.' }),
  }),
});

export const MY_ACCOUNT_CALLS = [
  getMySessions,
  endMySession,
  updateMyAccount,
  confirmMyEmail,
  downloadMyData,
  deleteMyAccount,
];
