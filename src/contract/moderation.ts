import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { addedField, Id, Instant, pageQuery, text } from './fields.ts';
import { Reason } from './reasons.ts';
import { locationProperties, reviewProperties } from './reviews.ts';

/** A review of any entry, without its author, for the admins' list of the newest reviews. */
export const NewestReview = Type.Object({
  ...reviewProperties,
  ...locationProperties,
  /** Whether the author's account was younger than 7 days when the review was posted. */
  isNewAccount: Type.Boolean(),
});
export type NewestReview = Type.Static<typeof NewestReview>;

export const getNewestReviews = defineCall({
  name: 'getNewestReviews',
  summary: 'Reviews of all categories without their authors, newest first; the Link header leads to the next page',
  access: 'admin',
  query: Type.Object(pageQuery(2)),
  answer: Type.Array(NewestReview),
});

export const NOTE_MAX = 1_000;
const Note = (title: string) => Type.Optional(text({ title, min: 0, max: NOTE_MAX }));

const Report = Type.Object({ reason: Reason, note: Type.Optional(Type.String()), createdAt: Instant });

/** A review in the moderation queue, open or closed. It names neither its author nor the people who reported it. */
export const ModerationItem = Type.Object({
  reviewId: Id,
  review: reviewProperties.review,
  rating: reviewProperties.rating,
  createdAt: Instant,
  /** When its author wrote what is shown here: when it was edited last, or else posted. */
  changedAt: addedField(Instant),
  ...locationProperties,
  /** Since when it waits for a decision. Only present for an open item. */
  openedAt: Type.Optional(Instant),
  isHidden: Type.Boolean(),
  /** Why it is hidden. */
  hiddenReason: Type.Optional(Reason),
  /** Whether its author has changed its text or stars since the last decision. */
  isEdited: Type.Boolean(),
  /** The text that was decided about, if it has changed since. */
  decidedText: Type.Optional(Type.String()),
  /** Whether the review is part of a burst: many reviews by new accounts within minutes. */
  isBurst: Type.Boolean(),
  /** The entry of that burst. */
  burstEntryId: Type.Optional(Id),
  /** For an open item, the reports since the last decision; for a closed one, all of them. */
  reports: Type.Array(Report),
  /** The decided reports that are not among `reports`. */
  earlier: Type.Array(Report),
  appeal: Type.Optional(Type.Object({ text: Type.String(), createdAt: Instant })),
});
export type ModerationItem = Type.Static<typeof ModerationItem>;

const State = Type.Enum(['open', 'closed'], { title: 'The state' });
export type ItemState = Type.Static<typeof State>;

export const getReports = defineCall({
  name: 'getReports',
  summary:
    'Reviews to decide about, the oldest first, those of bursts alone at the end; closed: the latest decision first',
  access: 'admin',
  query: Type.Object({
    state: Type.Optional(State),
    ...pageQuery(2, 3),
  }),
  answer: Type.Array(ModerationItem),
});

const Action = Type.Enum(['hide', 'restore', 'keep'], { title: 'The action' });
export type ModerationAction = Type.Static<typeof Action>;

/** For how many milliseconds a held hide can be undone without a trace. A later restore is recorded like any other. */
export const HELD_MS = 10_000;

/** Left out, the decision is about whatever the author has written by then. */
const UnchangedSince = Type.Optional(
  Type.String({
    title: 'The time of the last change',
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
    says: 'The time of the last change must be the changedAt of what was read.',
  }),
);

export const moderateReview = defineCall({
  name: 'moderateReview',
  method: 'PUT',
  summary:
    'Hide, restore or keep a review; its author is told, and what is open about it is closed. A hide with isHeld is told and made public after 10 seconds, unless the review is restored meanwhile',
  access: 'admin',
  refuses: [403, 404, 409],
  params: Type.Object({ reviewId: Id }),
  body: Type.Object({
    action: Action,
    /** Required for hiding. */
    reason: Type.Optional(Reason),
    /** Stored in the audit trail only. */
    note: Note('The note'),
    /** For hiding: a restore within `HELD_MS` leaves no trace. The review is hidden at once in any case. */
    isHeld: Type.Optional(Type.Boolean({ title: 'Whether it is held' })),
    /** `changedAt` of the item that the admin has read: nothing edited since is kept or restored. */
    unchangedSince: UnchangedSince,
  }),
  answer: ModerationItem,
});

const BurstAction = Type.Enum(['keep', 'hide'], { title: 'The action' });
export type BurstAction = Type.Static<typeof BurstAction>;

export const moderateBurst = defineCall({
  name: 'moderateBurst',
  method: 'PUT',
  summary: 'Keep or hide all open reviews of a burst up to the one shown last, those with reports too',
  access: 'admin',
  refuses: [403, 404, 409],
  params: Type.Object({ entryId: Id }),
  body: Type.Object({
    action: BurstAction,
    /** Required for hiding. */
    reason: Type.Optional(Reason),
    /** The highest reviewId that the admin has seen. */
    upTo: Type.Integer({ ...Id, title: 'The last review' }),
    /** The latest `changedAt` that the admin has read: nothing edited since is kept. */
    unchangedSince: UnchangedSince,
  }),
  answer: Type.Object({ decided: Type.Integer({ minimum: 1 }) }),
});

export const REVEAL_REASON_LENGTH = { min: 10, max: 500 };

export const revealAuthor = defineCall({
  name: 'revealAuthor',
  method: 'POST',
  summary: 'Who wrote a review, anonymous or not; the audit trail keeps the reason',
  access: 'admin',
  refuses: [404],
  params: Type.Object({ reviewId: Id }),
  body: Type.Object({ reason: text({ title: 'The reason', ...REVEAL_REASON_LENGTH }) }),
  answer: Type.Object({ userId: Id, username: Type.String() }),
});

export const getOpenCounts = defineCall({
  name: 'getOpenCounts',
  summary: 'How many reported reviews and proposals wait for a decision',
  access: 'admin',
  answer: Type.Object({ reports: Type.Integer(), proposals: Type.Integer() }),
});

export const MODERATION_CALLS = [
  getNewestReviews,
  getReports,
  moderateReview,
  moderateBurst,
  revealAuthor,
  getOpenCounts,
];

export const reportReview = defineCall({
  name: 'reportReview',
  method: 'POST',
  summary: 'Report a review to the admins; once each person, and again when its text has changed since a decision',
  access: 'signed-in',
  refuses: [403, 404, 409],
  status: 201,
  params: Type.Object({ reviewId: Id }),
  body: Type.Object({ reason: Reason, note: Note('The note') }),
  answer: Type.Object({ reviewId: Id, reason: Reason, note: Type.Optional(Type.String()), createdAt: Instant }),
});

export const REPORT_CALLS = [reportReview];
