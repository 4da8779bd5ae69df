import type { ColumnTypes } from '../migrate.ts';

export const name = '007-audit-entries';

/**
 * The audit log with a subject column instead of a text. The texts contained names and could not be changed, so that no
 * user could ever be erased. The new entries contain only ids, and names are joined when they are read.
 */
export function statements({ engine, id, integer, tableOptions }: ColumnTypes): string[] {
  const refusing =
    engine === 'sqlite'
      ? ['update', 'delete'].map(
          (change) => `create trigger audit_entries_no_${change} before ${change} on audit_entries
            begin select raise(abort, 'audit_entries is append-only'); end`,
        )
      : [
          // The old table assigned the ids until now.
          `select setval(pg_get_serial_sequence('audit_entries', 'id'), max(id)) from audit_entries having max(id) > 0`,
          `create trigger audit_entries_append_only before update or delete on audit_entries
            for each row execute function refuse_change()`,
          `create trigger audit_entries_no_truncate before truncate on audit_entries
            for each statement execute function refuse_change()`,
        ];
  const dialect = DIALECTS[engine];
  return [
    // No foreign keys: an entry outlives its admin and its subject.
    `create table audit_entries (
      id ${id},
      happened_at ${integer} not null,
      user_id ${integer},
      act text not null,
      subject_kind text not null,
      subject_id ${integer},
      reason text
    ) ${tableOptions}`,
    // A text that no earlier version has written gets the kind `old` and is dropped.
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

/** The words before and after the id in a text, as earlier versions wrote them. */
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

/**
 * A cast to a number ignores the text after the digits. The comparison with the whole form makes sure that the id is
 * right.
 */
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

/** The text also says whether the user became an admin or no longer is one. That is kept in the reason. */
const ROLE = `case when act = 'updateUser' and target like '%: an admin' then 'an admin'
  when act = 'updateUser' and target like '%: no admin' then 'no admin' end`;
