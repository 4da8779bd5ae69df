import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { Id, Instant, pageQuery, text } from './fields.ts';

/** The kinds of subjects of audit entries. `old` stands for audit entries whose subject was not recorded. */
export const SUBJECT_KINDS = ['school', 'entry', 'review', 'user', 'proposal', 'old'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

const SubjectKindField = Type.Enum([...SUBJECT_KINDS], { title: 'The subjectKind' });

/** The parts of an admin's decision: the action, the reason and the note. */
const AuditDetails = Type.Object({
  /** Such as `hide`; absent if the name of the call says it all. */
  action: Type.Optional(Type.String()),
  /** For a decision about a review, a key of `REASONS`; otherwise the admin's own words, or what the call has done. */
  reason: Type.Optional(Type.String()),
  note: Type.Optional(Type.String()),
});
export type AuditDetails = Type.Static<typeof AuditDetails>;

/**
 * One action of an admin. The names are the current ones: the audit trail stores none, so that users can be erased.
 */
export const AuditEntry = Type.Object({
  id: Id,
  at: Instant,
  /** Null: it was done on the command line. */
  userId: Type.Union([Id, Type.Null()]),
  /** Null: the user has been deleted. */
  username: Type.Union([Type.String(), Type.Null()]),
  /** The name of the call or command. */
  act: Type.String(),
  subjectKind: SubjectKindField,
  /** Null for an `old` audit entry. */
  subjectId: Type.Union([Id, Type.Null()]),
  /** Absent if the subject no longer exists. For a review it is the name of its entry. */
  subjectName: Type.Optional(Type.String()),
  /** All of `details` in one text, such as "hide: spam, An advert."; absent without `details`. */
  reason: Type.Optional(Type.String()),
  details: Type.Optional(AuditDetails),
});
export type AuditEntry = Type.Static<typeof AuditEntry>;

const ACT_MAX = 64;

/** The filter of the audit trail. Absent properties are not compared. */
const filterProperties = {
  userId: Type.Optional(Type.Integer({ ...Id, title: 'The userId' })),
  act: Type.Optional(text({ title: 'The act', max: ACT_MAX })),
  subjectKind: Type.Optional(SubjectKindField),
  subjectId: Type.Optional(Type.Integer({ ...Id, title: 'The subjectId' })),
};

export const getAdminActs = defineCall({
  name: 'getAdminActs',
  summary: 'What admins have done, newest first; the Link header leads to the next page',
  access: 'admin',
  query: Type.Object({ ...filterProperties, ...pageQuery(1) }),
  answer: Type.Array(AuditEntry),
});

export const getAdminActTotal = defineCall({
  name: 'getAdminActTotal',
  summary: 'How many of the things that admins have done a filter finds',
  access: 'admin',
  query: Type.Object(filterProperties),
  answer: Type.Object({ total: Type.Integer({ minimum: 0 }) }),
});

export const AUDIT_CALLS = [getAdminActs, getAdminActTotal];
