import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { type AuditEntry, getAdminActs, getAdminActTotal } from '../../../contract/audit.ts';
import { PAGES } from '../../../contract/pages.ts';
import { getUsers } from '../../../contract/users.ts';
import { callQuery, pagedQuery, queryClient } from '../../api.ts';
import { StandaloneLink } from '../../components/layout/page-link.tsx';
import { AdminPage } from '../../shared/admin/admin-page.tsx';
import { filterAddress, readFilter } from './audit-filter.ts';
import { AuditFilterForm } from './audit-filter-form.tsx';
import { actionText, reasonOf, subjectAddress, subjectText } from './audit-words.ts';
import { whenColumn } from './columns.tsx';
import { RecordTable } from './record-table.tsx';
import type { Column } from './scrolling-table.tsx';

export const loader = () => {
  void queryClient.prefetchQuery(callQuery(getUsers));
};

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
  const query = useInfiniteQuery(pagedQuery(getAdminActs, { query: filter }));
  const [first] = query.data ?? [];
  // Without further pages, the loaded rows are the total.
  const total = useQuery({ ...callQuery(getAdminActTotal, { query: filter }), enabled: query.hasNextPage });

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
