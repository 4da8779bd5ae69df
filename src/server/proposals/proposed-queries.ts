import { sql } from 'kysely';
import { nameKey } from '../../contract/folding.ts';
import type { ProposedReview } from '../../contract/proposals.ts';
import type { Connection } from '../database/database.ts';
import { lockName } from '../database/lock-row.ts';
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
  const key = nameKey(proposed.name);
  return JSON.stringify(
    proposed.kind === 'school'
      ? [proposed.kind, key, nameKey(countryOf(proposed.location))]
      : [proposed.kind, proposed.schoolId, proposed.category, key],
  );
}

/** The beginning of the keys of entries proposed for a school. */
const equalKeyStart = (schoolId: number) => JSON.stringify(['entry', schoolId]).slice(0, -1);

/**
 * Moves the proposals for a school to the one that it was merged into. Of two open proposals that become equal, the one
 * that moves keeps its key, which no new proposal can have: both stay open, and an admin decides about both.
 */
export async function moveProposals(db: Connection, from: number, into: number): Promise<void> {
  const [start, newStart] = [equalKeyStart(from), equalKeyStart(into)];
  const newKey = sql<string>`cast(${newStart} as text) || substr(proposals.equal_key, ${start.length + 1})`;
  await db
    .updateTable('proposals')
    .set({ equal_key: newKey })
    .where('school_id', '=', from)
    .where('decided_at', 'is', null)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('proposals as equal')
            .select('equal.id')
            .where('equal.equal_key', '=', newKey)
            .where('equal.decided_at', 'is', null),
        ),
      ),
    )
    .execute();
  await db.updateTable('proposals').set({ school_id: into }).where('school_id', '=', from).execute();
}

/**
 * Adds an open proposal. Of equal proposals sent at once, the second waits until the first is committed.
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
  const row = await db
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
        : { school_id: proposed.schoolId, category: proposed.category, ...reviewColumns(proposed.review) }),
    })
    .onConflict((conflict) => conflict.column('equal_key').where('decided_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row) {
    await noteAct(db, 'proposals', now);
    return row;
  }
  const equal = await selectOpenEqual(db, equal_key).executeTakeFirstOrThrow();
  return { equalId: equal.id };
}

const selectOpenEqual = (db: Connection, equalKey: string) =>
  db.selectFrom('proposals').select('id').where('equal_key', '=', equalKey).where('decided_at', 'is', null);

/** What is proposed, with some fields corrected. */
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
  return {
    kind: 'entry',
    schoolId: row.school_id as number,
    category: row.category as string,
    ...{ name, description },
  };
}

/** Whether a stored proposal is of the same thing as `proposed`. */
export const isEqual = (row: StoredProposal, proposed: Proposed) => row.equal_key === equalKey(proposed);

/**
 * Changes what is proposed, except the review, unless another open proposal is of the same thing.
 * @returns the id of that other proposal, if there is one
 */
export async function updateProposal(
  db: Connection,
  row: StoredProposal,
  proposed: Proposed,
): Promise<number | undefined> {
  const equal_key = equalKey(proposed);
  // The row's own key is not locked, or there could be a deadlock: somebody who proposes the same holds that lock and
  // waits for this row.
  if (row.equal_key !== equal_key) await lockName(db, equal_key);
  const equal = await selectOpenEqual(db, equal_key).where('id', '!=', row.id).executeTakeFirst();
  if (equal) return equal.id;
  const location = proposed.kind === 'school' ? { location: proposed.location } : {};
  await db
    .updateTable('proposals')
    .set({ equal_key, name: proposed.name, description: proposed.description, ...location })
    .where('id', '=', row.id)
    .execute();
  return undefined;
}
