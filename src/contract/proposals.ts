import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { ENTRY_NAME_MAX } from './entries.ts';
import { CategoryField, Id, Instant, line, pageQuery, SchoolId, text } from './fields.ts';
import { unsignedProperties } from './reviews.ts';
import { DESCRIPTION_MAX, schoolProperties } from './schools.ts';

/** review: an admin decides about proposals; open: they are carried out at once; off: none are accepted. */
export const PROPOSAL_MODES = ['review', 'open', 'off'] as const;
export type ProposalMode = (typeof PROPOSAL_MODES)[number];

const State = Type.Enum(['open', 'accepted', 'refused'], { title: 'The state' });
export type ProposalState = Type.Static<typeof State>;

/** Why the review of an accepted proposal was not posted. Only its author is told, because the reason is personal. */
const Obstacle = Type.Enum(['authorGone', 'authorBlocked', 'alreadyReviewed']);
export type Obstacle = Type.Static<typeof Obstacle>;

/** Absent or empty: no description. */
const Description = Type.Optional(text({ title: 'The description', min: 0, max: DESCRIPTION_MAX }));
const EntryName = line({ title: 'The name', max: ENTRY_NAME_MAX });

/** A review that is posted when its proposed entry is accepted. It has the author's name unless it is anonymous. */
const ProposedReview = Type.Object(
  {
    ...unsignedProperties,
    isAnonymous: Type.Optional(Type.Boolean({ title: 'The isAnonymous flag' })),
  },
  { title: 'The review' },
);
export type ProposedReview = Type.Static<typeof ProposedReview>;

/**
 * The school or entry that an accepted proposal led to, new or existing, or the one it was merged into. Lists name the
 * school of a proposed entry before the decision too.
 */
const resultProperties = { schoolId: Type.Optional(Id), entryId: Type.Optional(Id) };

const ProposeAnswer = Type.Object({
  id: Id,
  state: State,
  ...resultProperties,
  /** Whether the review is the only visible one of its category at the school. Only present if posted at once. */
  isFirst: Type.Optional(Type.Boolean()),
});

const proposeCall = { method: 'POST', access: 'signed-in', status: 201, answer: ProposeAnswer } as const;

export const proposeSchool = defineCall({
  ...proposeCall,
  name: 'proposeSchool',
  summary: 'Propose a school that is missing; one that is there, or proposed, is a 409 that names it',
  refuses: [403, 409],
  body: Type.Object({
    schoolName: schoolProperties.schoolName,
    location: schoolProperties.location,
    description: Description,
  }),
});

export const proposeEntry = defineCall({
  ...proposeCall,
  name: 'proposeEntry',
  summary:
    'Propose an entry that a school lacks, with its first review; an equal open proposal takes the review along, one that is there is a 409',
  refuses: [403, 404, 409],
  body: Type.Object({
    schoolId: SchoolId,
    category: CategoryField,
    name: EntryName,
    description: Description,
    review: Type.Optional(ProposedReview),
  }),
});

const ownProperties = {
  id: Id,
  kind: Type.Enum(['school', 'entry']),
  state: State,
  createdAt: Instant,
  /** The proposed name; for an entry, the name of its school. */
  schoolName: Type.String(),
  /** Only for a school. */
  location: Type.Optional(Type.String()),
  /** Only for an entry whose school is deleted: the proposal can be accepted once the school is restored. */
  isSchoolDeleted: Type.Optional(Type.Boolean()),
  /** Only for an entry. */
  category: Type.Optional(Type.String()),
  /** Only for an entry. */
  name: Type.Optional(Type.String()),
  description: Type.String(),
  review: Type.Optional(ProposedReview),
  /** The reason for which it was refused. */
  reason: Type.Optional(Type.String()),
  ...resultProperties,
  /** Only for an accepted proposal: whether its school or entry has been deleted since. */
  isGone: Type.Optional(Type.Boolean()),
  reviewNotPosted: Type.Optional(Obstacle),
};

/** A proposal as its proposer sees it. */
export const MyProposal = Type.Object({
  ...ownProperties,
  /** True if the user only added a review to somebody else's proposal, and can change nothing but that review. */
  isJoined: Type.Optional(Type.Boolean()),
});
export type MyProposal = Type.Static<typeof MyProposal>;

/** The fields of a proposal that can be corrected. Those left out stay as they are. */
const correctableProperties = {
  schoolName: Type.Optional(schoolProperties.schoolName),
  location: Type.Optional(schoolProperties.location),
  name: Type.Optional(EntryName),
  description: Description,
};

/** A proposal as admins see it, without its proposer. */
export const Proposal = Type.Object({
  ...ownProperties,
  /** The reviews of all who have proposed it, the first one included. Absent if only one person has. */
  reviews: Type.Optional(Type.Array(ProposedReview)),
  /** True when the review of an accepted proposal was not posted. */
  reviewNotPosted: Type.Optional(Type.Boolean()),
  /** Existing names that it may duplicate, closest first. Empty after the decision. */
  similar: Type.Array(Type.Object({ id: Id, name: Type.String() })),
});
export type Proposal = Type.Static<typeof Proposal>;

export const getProposals = defineCall({
  name: 'getProposals',
  summary: 'Open proposals, the oldest first; those that are decided, the latest decision first',
  access: 'admin',
  query: Type.Object({ state: Type.Optional(State), ...pageQuery(2) }),
  answer: Type.Array(Proposal),
});

export const getMyProposals = defineCall({
  name: 'getMyProposals',
  summary: "The caller's own proposals, newest first, with what became of them",
  access: 'signed-in',
  query: Type.Object(pageQuery(2)),
  answer: Type.Array(MyProposal),
});

const REFUSAL_REASON_LENGTH = { min: 3, max: 500 };

export const decideProposal = defineCall({
  name: 'decideProposal',
  method: 'PUT',
  summary: 'Accept a proposal, with fields corrected, or refuse it; its proposer is told',
  access: 'admin',
  refuses: [404, 409],
  params: Type.Object({ id: Id }),
  body: Type.Object({
    action: Type.Enum(['accept', 'refuse'], { title: 'The action' }),
    /** Required for refusing. */
    reason: Type.Optional(text({ title: 'The reason', ...REFUSAL_REASON_LENGTH })),
    category: Type.Optional(CategoryField),
    ...correctableProperties,
  }),
  answer: Proposal,
});

const ownProposalCall = { access: 'signed-in', refuses: [404, 409], params: Type.Object({ id: Id }) } as const;

export const updateMyProposal = defineCall({
  ...ownProposalCall,
  name: 'updateMyProposal',
  method: 'PUT',
  summary: "Correct one's own open proposal; what is left out stays, and so do the words of others",
  body: Type.Object({ ...correctableProperties, review: Type.Optional(ProposedReview) }),
  answer: MyProposal,
});

export const withdrawMyProposal = defineCall({
  ...ownProposalCall,
  name: 'withdrawMyProposal',
  method: 'DELETE',
  summary: "Withdraw one's own open proposal, or one's review of it; the words of others stay",
});

export const PROPOSAL_CALLS = [
  proposeSchool,
  proposeEntry,
  getProposals,
  getMyProposals,
  updateMyProposal,
  withdrawMyProposal,
  decideProposal,
];
