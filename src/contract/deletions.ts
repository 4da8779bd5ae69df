import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { Id, Instant, pageQuery } from './fields.ts';

/** For how many days a school or entry that an admin deleted can be restored. */
export const RESTORE_DAYS = 30;

const Kind = Type.Enum(['school', 'entry'], { title: 'The kind' });
export type DeletedKind = Type.Static<typeof Kind>;

/** A school or entry that can be restored. */
export const DeletedRecord = Type.Object({
  kind: Kind,
  id: Id,
  name: Type.String(),
  deletedAt: Instant,
  /** The admin's username; empty once that account is deleted. */
  deletedBy: Type.String(),
  /** How many reviews would become visible again. */
  reviews: Type.Integer(),
});
export type DeletedRecord = Type.Static<typeof DeletedRecord>;

export const getDeleted = defineCall({
  name: 'getDeleted',
  summary: `Schools and entries that admins deleted in the last ${RESTORE_DAYS} days, the last one first`,
  access: 'admin',
  query: Type.Object(pageQuery(2)),
  answer: Type.Array(DeletedRecord),
});

export const restoreDeleted = defineCall({
  name: 'restoreDeleted',
  method: 'POST',
  summary: 'Bring back a deleted school or entry, with everything that belongs to it',
  access: 'admin',
  refuses: [404, 409],
  body: Type.Object({ kind: Kind, id: Id }),
  answer: Type.Object({ kind: Kind, id: Id, name: Type.String() }),
});

export const DELETION_CALLS = [getDeleted, restoreDeleted];
