import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { Id } from './fields.ts';

const markCall = {
  path: '/auth/markHelpful/:reviewId',
  access: 'signed-in',
  refuses: [403, 404],
  params: Type.Object({ reviewId: Id }),
  answer: Type.Object({ helpful: Type.Integer({ minimum: 0 }) }),
} as const;

export const markHelpful = defineCall({
  ...markCall,
  name: 'markHelpful',
  method: 'POST',
  summary: "Mark somebody else's review as helpful; again, it stays marked",
});

export const unmarkHelpful = defineCall({
  ...markCall,
  name: 'unmarkHelpful',
  method: 'DELETE',
  summary: 'Take the mark off a review; without one, nothing changes',
});

export const getMyHelpful = defineCall({
  name: 'getMyHelpful',
  summary: 'The ids of the reviews of an entry that the caller marked as helpful',
  access: 'signed-in',
  refuses: [404],
  params: Type.Object({ entryId: Id }),
  answer: Type.Array(Id),
});

export const HELPFUL_CALLS = [markHelpful, unmarkHelpful, getMyHelpful];
