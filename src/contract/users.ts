import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { addedField, Id, IdParams, text } from './fields.ts';
import type { ReasonKey } from './reasons.ts';

export const User = Type.Object({
  id: Id,
  username: Type.String(),
  isAdmin: Type.Boolean(),
  isBlocked: addedField(Type.Boolean()),
});
export type User = Type.Static<typeof User>;

export const getUsers = defineCall({
  name: 'getUsers',
  summary: 'All users by name',
  access: 'admin',
  answer: Type.Array(User),
});

export const updateUser = defineCall({
  name: 'updateUser',
  method: 'PUT',
  summary: 'Make a user an admin, or no longer one',
  access: 'admin',
  refuses: [404, 409],
  params: IdParams,
  body: Type.Object({ isAdmin: Type.Boolean({ title: 'The isAdmin flag' }) }),
  answer: User,
});

/** The reason that is recorded for hiding the reviews of a user who is deleted. */
export const DELETED_USER_REASON: ReasonKey = 'spam';

export const deleteUser = defineCall({
  name: 'deleteUser',
  method: 'DELETE',
  summary:
    'Delete a user; their reviews stay and become anonymous, or are hidden as spam; then their open proposals are refused, and what they added and only they reviewed is deleted',
  access: 'admin',
  refuses: [404, 409],
  params: IdParams,
  query: Type.Object({
    reviews: Type.Optional(
      Type.Enum(['hide'], { title: 'The reviews', says: 'The reviews parameter must be hide, or left out.' }),
    ),
  }),
});

export const BLOCK_REASON_LENGTH = { min: 3, max: 500 };

/** The `code` of the refusal when a blocked user logs in. */
export const BLOCKED_CODE = 'blocked';

export const blockUser = defineCall({
  name: 'blockUser',
  method: 'PUT',
  summary:
    'Block a user, whose sessions end and who is mailed the reason, or let them log in again; their reviews stay',
  access: 'admin',
  refuses: [404, 409],
  params: Type.Object({ userId: Id }),
  body: Type.Object({
    isBlocked: Type.Boolean({ title: 'The isBlocked flag' }),
    /** Required for blocking. */
    reason: Type.Optional(text({ title: 'The reason', ...BLOCK_REASON_LENGTH })),
  }),
  answer: User,
});

export const USER_CALLS = [getUsers, updateUser, blockUser, deleteUser];
