import { useNavigate, useSearchParams } from 'react-router';
import { type AuditEntry, getAdminActs, getAdminActTotal, SUBJECT_KINDS } from '../../../contract/audit.ts';
import { PAGES } from '../../../contract/pages.ts';
import { getUsers } from '../../../contract/users.ts';
import { Select } from '../../components/form/fields.tsx';
import { StandaloneLink } from '../../components/layout/page-link.tsx';
import { passFocusOn } from '../../navigation.ts';
import { usePagedRead, useRead } from '../../page.ts';
import { AdminPage } from '../../shared/admin/admin-page.tsx';
import { type AuditFilter, filterAddress, readFilter } from './audit-filter.ts';
import { ACTION_TEXTS, actionText, reasonOf, SUBJECT_KIND_TEXTS, subjectAddress, subjectText } from './audit-texts.ts';
import { RecordTable, whenColumn } from './record-table.tsx';
import type { Column } from './scrolling-table.tsx';

const personOf = ({ userId, username }: AuditEntry) => username ?? `Deleted user ${userId}`;

const COLUMNS: Column<AuditEntry>[] = [
  whenColumn(({ at }) => at),
  {
    head: 'Who',
    width: 'w-36',
    cell: (entry) =>
      entry.userId === null ? (
        personOf(entry)
      ) : (
        <StandaloneLink to={filterAddress({ userId: entry.userId })}>{personOf(entry)}</StandaloneLink>
      ),
  },
  { head: 'What', isRowHead: true, inNarrow: 'first line', cell: (entry) => <ActionCell entry={entry} /> },
  {
    head: 'History',
    width: 'w-24',
    inNarrow: 'end',
    cell: ({ subjectKind, subjectId }, nameId) =>
      subjectId !== null && (
        <StandaloneLink to={filterAddress({ subjectKind, subjectId })} aria-describedby={nameId}>
          History
        </StandaloneLink>
      ),
  },
];

/** "Added Housing: North Hall (Larkspur Polytechnic)", with a link if the subject still exists. */
function ActionCell({ entry }: { entry: AuditEntry }) {
  const address = subjectAddress(entry);
  const subject = subjectText(entry);
  const reason = reasonOf(entry);
  return (
    <>
      <span className="wrap-anywhere">
        <span>{subject ? `${actionText(entry)}: ` : actionText(entry)}</span>
        {address ? <StandaloneLink to={address}>{subject}</StandaloneLink> : <span>{subject}</span>}
      </span>
      {reason && <span className="block text-sm text-ink-soft">{`Reason: ${reason}`}</span>}
    </>
  );
}

const textOf = (entry: AuditEntry) => `${personOf(entry)} ${actionText(entry)}: ${subjectText(entry)}`;

/** The audit trail of the admins' actions, newest first. */
export function Component() {
  const [search] = useSearchParams();
  const filter = readFilter(search);
  const query = usePagedRead(getAdminActs, { query: filter });
  const [first] = query.data ?? [];
  // Without further pages, the loaded rows are the total.
  const total = useRead(getAdminActTotal, { query: filter }, { enabled: query.hasNextPage });

  return (
    <AdminPage heading={PAGES.auditTrail.title}>
      <AuditFilterForm
        filter={filter}
        personName={first && personOf(first)}
        subjectName={first && subjectText(first)}
      />
      <RecordTable
        title="What admins did"
        nouns={['entry', 'entries']}
        query={query}
        total={total.data?.total}
        empty="Nothing to show."
        columns={COLUMNS}
        textOf={textOf}
      />
    </AdminPage>
  );
}

const SELECT = 'min-w-0 grow basis-32 sm:grow-0 sm:basis-auto';

interface AuditFilterFormProps {
  filter: AuditFilter;
  /** The name of the chosen person, if a loaded entry contains it. */
  personName?: string;
  subjectName?: string;
}

/** Chooses the audit entries to show, by person, kind and subject. The choice is part of the address. */
function AuditFilterForm({ filter, personName, subjectName }: AuditFilterFormProps) {
  const { userId, act, subjectKind, subjectId } = filter;
  const navigate = useNavigate();
  const { data: users = [] } = useRead(getUsers);
  const admins = users.filter(({ isAdmin }) => isAdmin);
  const choose = (change: AuditFilter) => void navigate(filterAddress({ ...filter, ...change }), { replace: true });
  const isListed = userId === undefined || admins.some(({ id }) => id === userId);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);

  return (
    <div className="no-print flex flex-wrap items-end gap-3">
      <Select
        label="Person"
        name="person"
        className={`${SELECT} sm:w-48`}
        value={userId ?? ''}
        onChange={({ target }) => choose({ userId: Number(target.value) || undefined })}
        options={[
          ['', 'Everyone'],
          ...(isListed ? [] : [[userId, personName ?? `User ${userId}`] as const]),
          ...admins.map(({ id, username }) => [id, username] as const),
        ]}
      />
      <Select
        label="Action"
        name="act"
        className={`${SELECT} sm:w-56`}
        value={act ?? ''}
        onChange={({ target }) => choose({ act: target.value || undefined })}
        options={[
          ['', 'Everything'],
          ...(act === undefined || ACTION_TEXTS.has(act) ? [] : [[act, act] as const]),
          ...ACTION_TEXTS,
        ]}
      />
      <Select
        label="Subject"
        name="subject"
        className={`${SELECT} sm:w-48`}
        value={subjectKind ?? ''}
        onChange={({ target }) =>
          choose({ subjectKind: SUBJECT_KINDS.find((kind) => kind === target.value), subjectId: undefined })
        }
        options={[['', 'All subjects'], ...SUBJECT_KINDS.map((kind) => [kind, SUBJECT_KIND_TEXTS[kind]] as const)]}
      />
      {isFiltered && (
        <p ref={passFocusOn} className="flex min-h-touch flex-wrap items-center gap-x-3">
          {subjectId !== undefined && <span>{`Only ${subjectName ?? `no. ${subjectId}`}`}</span>}
          <StandaloneLink to={PAGES.auditTrail.path}>Clear filters</StandaloneLink>
        </p>
      )}
    </div>
  );
}
