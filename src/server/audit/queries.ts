import { sql } from 'kysely';
import type { AuditDetails, AuditEntry, getAdminActTotal, SubjectKind } from '../../contract/audit.ts';
import type { Call, QueryOf } from '../../contract/call.ts';
import type { Connection } from '../database/database.ts';
import { countFound } from '../database/found-rows.ts';
import { Page, type PagePosition, type PageRequest, readPage, selectPage } from '../database/paging.ts';
import type { Milliseconds } from '../database/tables.ts';

/** Shown instead of a username for what a command on the machine did: a command has no user. */
const COMMAND_LINE = 'command line';

/** The subject of an audit entry. */
interface Subject {
  readonly kind: Exclude<SubjectKind, 'old'>;
  readonly id: number;
}

type Details = { readonly [Field in keyof AuditDetails]: AuditDetails[Field] | null | undefined };

/** Records an admin's action in the transaction that performs it, so that neither is stored without the other. */
export async function recordAdmin(
  db: Connection,
  { userId }: { readonly userId: number },
  { name }: Call,
  subject: Subject,
  now: Milliseconds,
  details: Details = {},
): Promise<void> {
  await insertAuditEntry(db, userId, name, subject, now, details);
}

/**
 * Records what a command did to a user.
 * @param subjectId the user; null where naming them would reveal something, such as the author of a review by its mail
 */
export async function recordCommand(db: Connection, command: string, subjectId: number | null, now: Milliseconds) {
  await insertAuditEntry(db, null, command, { kind: 'user', id: subjectId }, now, {});
}

async function insertAuditEntry(
  db: Connection,
  userId: number | null,
  act: string,
  { kind, id }: { kind: Subject['kind']; id: number | null },
  now: Milliseconds,
  { action = null, reason = null, note = null }: Details,
): Promise<void> {
  await db
    .insertInto('audit_entries')
    .values({ user_id: userId, act, subject_kind: kind, subject_id: id, happened_at: now, action, reason, note })
    .execute();
}

/** The filter of the audit trail. Absent values are not compared. */
type AuditFilter = QueryOf<typeof getAdminActTotal>;

/** The value that the list is sorted by. */
const cursorValuesOf = ({ id }: { id: number }) => [id] as const;

/** Lists audit entries, newest first, with the current names of users and subjects that are not deleted. */
export async function listAuditEntries(
  db: Connection,
  { limit, before, ...filter }: PageRequest & AuditFilter,
): Promise<Page<AuditEntry[]>> {
  const { rows, next } = await readPage({ limit, before }, cursorValuesOf, (position) =>
    queryAuditEntries(db, filter, position),
  );
  return new Page(rows.map(auditEntryOf), next);
}

/** The number of audit entries that match the filter. */
export const countAuditEntries = (db: Connection, filter: AuditFilter) => countFound(findAuditEntries(db, filter));

// Columns are named: with `select *`, a connection of SQLite that was opened before a migration would leave out those
// that the migration adds.
const STORED_COLUMNS = [
  ...(['id', 'happened_at', 'user_id', 'act', 'subject_kind', 'subject_id'] as const),
  ...(['action', 'reason', 'note'] as const),
];

function queryAuditEntries(db: Connection, filter: AuditFilter, position: PagePosition) {
  const page = selectPage(
    findAuditEntries(db, filter).select(STORED_COLUMNS),
    { by: ['id'], direction: 'desc' },
    position,
  );
  return (
    db
      // The page is selected before the names are joined: the joins then read at most `limit` rows with any filter.
      .selectFrom(page.as('page'))
      .leftJoin('users as actor', 'actor.id', 'page.user_id')
      .leftJoin('users as user', (join) =>
        join.onRef('user.id', '=', 'page.subject_id').on('subject_kind', '=', 'user'),
      )
      .leftJoin('reviews as review', (join) =>
        join.onRef('review.id', '=', 'page.subject_id').on('subject_kind', '=', 'review'),
      )
      .leftJoin('proposals as proposal', (join) =>
        join.onRef('proposal.id', '=', 'page.subject_id').on('subject_kind', '=', 'proposal'),
      )
      .leftJoin('entries as entry', (join) =>
        join.on('entry.deleted_at', 'is', null).on('entry.id', '=', subjectOr('entry', 'review.entry_id')),
      )
      .leftJoin('schools as school', (join) =>
        join.on('school.deleted_at', 'is', null).on('school.id', '=', subjectOr('school', 'entry.school_id')),
      )
      .selectAll('page')
      .select([
        'actor.username as actor',
        'user.username as user',
        'proposal.name as proposal',
        'entry.name as entry',
        'school.school_name as school',
      ])
      .orderBy('page.id', 'desc')
      .execute()
  );
}

/** The id of the subject when it is of this kind, otherwise the value of another column. */
function subjectOr(kind: SubjectKind, column: 'review.entry_id' | 'entry.school_id') {
  return sql<number | null>`case when "subject_kind" = ${kind} then "page"."subject_id" else ${sql.ref(column)} end`;
}

function auditEntryOf(row: Awaited<ReturnType<typeof queryAuditEntries>>[number]): AuditEntry {
  const { action, reason, note } = row;
  const subjectName = row.user ?? row.proposal ?? (row.entry === null ? row.school : `${row.entry} (${row.school})`);
  const text = [[action, reason].filter((one) => one !== null).join(': '), note].filter(Boolean).join(', ');
  return {
    id: row.id,
    at: new Date(row.happened_at).toISOString(),
    userId: row.user_id,
    username: row.user_id === null ? COMMAND_LINE : row.actor,
    act: row.act,
    // Safe: only insertAuditEntry and a migration write this column, from the same list.
    subjectKind: row.subject_kind as SubjectKind,
    subjectId: row.subject_id,
    ...(subjectName !== null && { subjectName }),
    ...(text !== '' && {
      reason: text,
      details: {
        ...(action !== null && { action }),
        ...(reason !== null && { reason }),
        ...(note !== null && { note }),
      },
    }),
  };
}

/** Each single filter has an index that ends with the id. */
function findAuditEntries(db: Connection, { userId, act, subjectKind, subjectId }: AuditFilter) {
  let entries = db.selectFrom('audit_entries');
  if (userId !== undefined) entries = entries.where('user_id', '=', userId);
  if (act !== undefined) entries = entries.where('act', '=', act);
  if (subjectKind !== undefined) entries = entries.where('subject_kind', '=', subjectKind);
  if (subjectId !== undefined) entries = entries.where('subject_id', '=', subjectId);
  return entries;
}
