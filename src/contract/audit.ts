import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { Id, Instant, LIST_LIMIT_MAX } from './fields.ts';

/** One thing that an admin did. */
export const AdminAct = Type.Object({
  id: Id,
  at: Instant,
  /** Null: somebody at the machine's command line. */
  userId: Type.Union([Id, Type.Null()]),
  /** As the admin was called then. */
  username: Type.String(),
  /** The name of the call or command. */
  act: Type.String(),
  /** What it was done to, as it was called then. */
  target: Type.String(),
});
export type AdminAct = Type.Static<typeof AdminAct>;

export const getAdminActs = defineCall({
  method: 'GET',
  path: '/auth/getAdminActs',
  summary: 'What admins have done, newest first; the Link header leads to the next page',
  access: 'admin',
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ title: 'The limit', minimum: 1, maximum: LIST_LIMIT_MAX })),
    before: Type.Optional(Type.Integer({ ...Id, title: 'The place to go on from' })),
  }),
  answer: Type.Array(AdminAct),
});

export const AUDIT_CALLS = [getAdminActs];
