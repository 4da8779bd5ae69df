import { exactNameKey, nameKey } from '../../contract/folding.ts';
import type { ProposedReview } from '../../contract/proposals.ts';
import type { Connection } from '../database/database.ts';
import { locking, lockName } from '../database/lock-row.ts';
import type { Milliseconds } from '../database/tables.ts';
import { noteAct } from '../numbers/queries.ts';
import { countryOf } from '../schools/queries.ts';
import type { StoredProposal } from './queries.ts';
import { reviewColumns } from './review-queries.ts';

/** A proposed school or entry. */
export type Proposed =
  | { readonly kind: 'school'; readonly name: string; readonly location: string; readonly description: string }
  | {
      readonly kind: 'entry';
      readonly schoolId: number;
      readonly category: string;
      readonly name: string;
      readonly description: string;
      readonly review?: ProposedReview | undefined;
    };

/** A text that is the same for all proposals of the same thing. */
function equalKey(proposed: Proposed): string {
  const key = exactNameKey(proposed.name);
  return JSON.stringify(
    proposed.kind === 'school'
      ? [proposed.kind, key, nameKey(countryOf(proposed.location))]
      : [proposed.kind, proposed.schoolId, proposed.category, key],
  );
}

/** A key that no other proposal has, for one that a merge of schools has made equal to another open one. */
const uniqueKey = (id: number) => JSON.stringify(['equal', id]);

/**
 * Moves the proposals for a school to the one that it was merged into. Of open ones that become equal, one has the key
 * by which a new proposal finds it. All stay open, and an admin decides about each.
 */
export async function moveProposals(db: Connection, from: number, into: number): Promise<void> {
  const moving = db.selectFrom('proposals').selectAll().where('school_id', '=', from).where('decided_at', 'is', null);
  // One after the other, because two that move may be equal. Open proposals for a school are few.
  for (const row of await locking(db, moving).execute()) {
    // Made anew from the row: the stored key may name an earlier school.
    const key = equalKey(applyCorrections({ ...row, school_id: into }, {}));
    await lockName(db, key);
    const equal = await selectOpenEqual(db, key).where('id', '!=', row.id).executeTakeFirst();
    await updateEqualKey(db, row.id, equal ? uniqueKey(row.id) : key);
  }
  await db.updateTable('proposals').set({ school_id: into }).where('school_id', '=', from).execute();
}

/**
 * Adds an open proposal. Of concurrent equal proposals, the second waits until the first is committed.
 * @returns its id, or that of an equal open one
 */
export async function insertProposal(
  db: Connection,
  userId: number,
  proposed: Proposed,
  now: Milliseconds,
): Promise<{ id: number } | { equalId: number }> {
  const equal_key = equalKey(proposed);
  await lockName(db, equal_key);
  const inserting = db
    .insertInto('proposals')
    .values({
      kind: proposed.kind,
      state: 'open',
      user_id: userId,
      created_at: now,
      equal_key,
      name: proposed.name,
      description: proposed.description,
      ...(proposed.kind === 'school'
        ? { location: proposed.location }
        : {
            school_id: proposed.schoolId,
            category: proposed.category,
            ...(proposed.review && reviewColumns(proposed.review)),
          }),
    })
    .onConflict((conflict) => conflict.column('equal_key').where('decided_at', 'is', null).doNothing())
    .returning('id');
  let row = await inserting.executeTakeFirst();
  if (!row) {
    const equal = await selectOpenEqual(db, equal_key).select('school_id').executeTakeFirst();
    const schoolId = proposed.kind === 'entry' ? proposed.schoolId : null;
    if (equal?.school_id === schoolId) return { equalId: equal.id };
    // Earlier versions left some proposals for merged schools with the key of a school that has nothing to do with
    // them. Without an equal one, it was decided about or moved since the insert.
    if (equal) await updateEqualKey(db, equal.id, uniqueKey(equal.id));
    row = await inserting.executeTakeFirstOrThrow();
  }
  await noteAct(db, 'proposals', now);
  return row;
}

const updateEqualKey = (db: Connection, id: number, equal_key: string) =>
  db.updateTable('proposals').set({ equal_key }).where('id', '=', id).execute();

const selectOpenEqual = (db: Connection, equalKey: string) =>
  db.selectFrom('proposals').select('id').where('equal_key', '=', equalKey).where('decided_at', 'is', null);

/** The proposed school or entry, with some fields corrected. */
export function applyCorrections(
  row: StoredProposal,
  fields: { schoolName?: string; location?: string; name?: string; description?: string },
): Proposed {
  const { description = row.description } = fields;
  if (row.kind === 'school') {
    const { schoolName = row.name, location = row.location ?? '' } = fields;
    return { kind: 'school', name: schoolName, location, description };
  }
  const { name = row.name } = fields;
  // Safe: the row of a proposed entry has both.
  return { kind: 'entry', schoolId: row.school_id as number, category: row.category as string, name, description };
}

/** Whether a stored proposal is of the same thing as `proposed`. */
export const hasEqualKey = (row: StoredProposal, proposed: Proposed) =>
  equalKey(applyCorrections(row, {})) === equalKey(proposed);

/**
 * Changes what is proposed, except the review, unless another open proposal is of the same thing.
 * @returns the id of that other proposal, if there is one
 */
export async function updateProposal(db: Connection, row: StoredProposal, proposed: Proposed) {
  let { equal_key } = row;
  // The row's own key is not locked: somebody who proposes the same holds that lock and waits for this row, which would
  // be a deadlock.
  if (!hasEqualKey(row, proposed)) {
    equal_key = equalKey(proposed);
    await lockName(db, equal_key);
    const equal = await selectOpenEqual(db, equal_key).where('id', '!=', row.id).executeTakeFirst();
    if (equal) return equal.id;
  }
  const location = proposed.kind === 'school' ? { location: proposed.location } : {};
  await db
    .updateTable('proposals')
    .set({ equal_key, name: proposed.name, description: proposed.description, ...location })
    .where('id', '=', row.id)
    .execute();
  return undefined;
}
