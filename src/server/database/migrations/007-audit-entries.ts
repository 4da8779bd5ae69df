import type { ColumnTypes } from '../migrate.ts';

export const name = '007-audit-entries';

/**
 * The audit trail with a subject instead of a text. Names stood in the texts of the table before, which nobody may
 * change, so that no user could ever be erased: entries hold ids alone, and names are joined when they are read.
 */
export function statements({ engine, id, integer, tableOptions }: ColumnTypes): string[] {
  const refusing =
    engine === 'sqlite'
      ? ['update', 'delete'].map(
          (change) => `create trigger audit_entries_no_${change} before ${change} on audit_entries
            begin select raise(abort, 'audit_entries is append-only'); end`,
        )
      : [
          // Ids were given by the old table until now.
          `select setval(pg_get_serial_sequence('audit_entries', 'id'), max(id)) from audit_entries having max(id) > 0`,
          `create trigger audit_entries_append_only before update or delete on audit_entries
            for each row execute function refuse_change()`,
          `create trigger audit_entries_no_truncate before truncate on audit_entries
            for each statement execute function refuse_change()`,
        ];
  const dialect = DIALECTS[engine];
  return [
    // No references: an entry outlives whoever and whatever it is about.
    `create table audit_entries (
      id ${id},
      happened_at ${integer} not null,
      user_id ${integer},
      act text not null,
      subject_kind text not null,
      subject_id ${integer},
      reason text
    ) ${tableOptions}`,
    // A target that the version before has not written becomes old, and its text is dropped.
    `insert into audit_entries (id, happened_at, user_id, act, subject_kind, subject_id, reason)
      select id, happened_at, user_id, act, ${kindOf(dialect)}, ${subjectIdOf(dialect)}, ${ROLE}
      from admin_acts order by id`,
    'drop table admin_acts',
    'create index audit_entries_by_user on audit_entries (user_id, id)',
    'create index audit_entries_by_act on audit_entries (act, id)',
    'create index audit_entries_by_kind on audit_entries (subject_kind, id)',
    'create index audit_entries_by_subject on audit_entries (subject_id, id)',
    ...refusing,
  ];
}

/** The words before and after the id in a target, as the version before wrote them. */
interface Form {
  kind: string;
  before: string;
  after: string;
}

const ENTRY_LABELS = ['Athletics', 'Club', 'Housing', 'Job', 'Lifestyle', 'Major', 'Other'];

const FORMS: readonly Form[] = [
  { kind: 'school', before: 'school ', after: ', ' },
  { kind: 'user', before: 'user ', after: ', ' },
  { kind: 'review', before: 'review ', after: ' of ' },
  ...ENTRY_LABELS.map((label) => ({ kind: 'entry', before: `${label} entry `, after: ', ' })),
];

interface Dialect {
  idOf: (form: Form) => string;
  fits: (form: Form) => string;
}

/** A number cast from a text ends where its digits end; the target must then begin with that number's form. */
const sqliteId = ({ before }: Form) => `cast(substr(target, ${before.length + 1}) as integer)`;

const DIALECTS: Record<ColumnTypes['engine'], Dialect> = {
  sqlite: {
    idOf: sqliteId,
    fits: (form) => `instr(target, '${form.before}' || ${sqliteId(form)} || '${form.after}') = 1`,
  },
  postgres: {
    idOf: ({ before }) => `substring(target from '^${before}([0-9]+)')::bigint`,
    fits: ({ before, after }) => `target ~ '^${before}[1-9][0-9]{0,14}${after}'`,
  },
};

const kindOf = ({ fits }: Dialect) =>
  `case ${FORMS.map((form) => `when ${fits(form)} then '${form.kind}'`).join(' ')} else 'old' end`;
const subjectIdOf = ({ fits, idOf }: Dialect) =>
  `case ${FORMS.map((form) => `when ${fits(form)} then ${idOf(form)}`).join(' ')} end`;

/** Whether somebody became an admin or ceased to be one stood behind the name, and must not go with it. */
const ROLE = `case when act = 'updateUser' and target like '%: an admin' then 'an admin'
  when act = 'updateUser' and target like '%: no admin' then 'no admin' end`;
