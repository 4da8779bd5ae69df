import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { type AuditEntry, getAdminActs, getAdminActTotal } from '../../../contract/audit.ts';
import { PAGES } from '../../../contract/pages.ts';
import { getUsers } from '../../../contract/users.ts';
import { callQuery, pagedQuery, queryClient } from '../../api.ts';
import { Breadcrumb } from '../../components/breadcrumb.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { type AuditFilter, filterAddress, filterParts, readFilter } from './audit-filter.ts';
import { AuditFilterForm } from './audit-filter-form.tsx';
import { actWords, reasonOf, subjectAddress, subjectWords } from './audit-words.ts';
import { PagedRecordTable } from './paged-record-table.tsx';
import type { Column } from './scrolling-table.tsx';
import { whenText } from './when-text.ts';

const entriesQuery = (filter: AuditFilter) => pagedQuery(getAdminActs, filterParts(filter));

export const loader = () => {
  void queryClient.prefetchQuery(callQuery(getUsers));
};

const personOf = ({ userId, username }: AuditEntry) => username ?? `Deleted user ${userId}`;
const LINK = 'text-link inline-flex min-h-touch items-center';

const COLUMNS: Column<AuditEntry>[] = [
  {
    head: 'When',
    width: 'w-40',
    cell: ({ at }) => (
      <time dateTime={at} className="tabular-nums">
        {whenText(at)}
      </time>
    ),
  },
  {
    head: 'Who',
    width: 'w-36',
    cell: (entry) =>
      entry.userId === null ? (
        personOf(entry)
      ) : (
        <PageLink to={filterAddress({ userId: entry.userId })} className={LINK}>
          {personOf(entry)}
        </PageLink>
      ),
  },
  { head: 'What', isRowHead: true, inNarrow: 'first line', cell: (entry) => <What entry={entry} /> },
  {
    head: 'History',
    width: 'w-24',
    inNarrow: 'end',
    cell: ({ subjectKind, subjectId }, nameId) =>
      subjectId !== null && (
        <PageLink to={filterAddress({ subjectKind, subjectId })} aria-describedby={nameId} className={LINK}>
          History
        </PageLink>
      ),
  },
];

/** "Added Housing: North Hall (Larkspur Polytechnic)", with a link if the subject still exists. */
function What({ entry }: { entry: AuditEntry }) {
  const address = subjectAddress(entry);
  const subject = subjectWords(entry);
  const reason = reasonOf(entry);
  return (
    <>
      <span className="wrap-anywhere">
        {actWords(entry)}
        {subject && ': '}
        {address ? (
          <PageLink to={address} className={LINK}>
            {subject}
          </PageLink>
        ) : (
          subject
        )}
      </span>
      {reason && <span className="block text-sm text-ink-soft">Reason: {reason}</span>}
    </>
  );
}

const textOf = (entry: AuditEntry) => `${personOf(entry)} ${actWords(entry)}: ${subjectWords(entry)}`;

/** The audit log of the admins' actions, newest first. */
export function Component() {
  const [search] = useSearchParams();
  const filter = readFilter(search);
  const query = useInfiniteQuery(entriesQuery(filter));
  const [first] = query.data?.pages[0]?.rows ?? [];
  // Without further pages, the loaded rows are the total.
  const total = useQuery({ ...callQuery(getAdminActTotal, filterParts(filter)), enabled: query.hasNextPage });

  return (
    <div className="page grid gap-6 pt-4 pb-10">
      <div>
        <Breadcrumb trail={[{ label: PAGES.adminUsers.title, to: PAGES.adminUsers.path }]} />
        <PageHeading>{PAGES.auditTrail.title}</PageHeading>
      </div>
      <AuditFilterForm
        filter={filter}
        personName={first && personOf(first)}
        subjectName={first && subjectWords(first)}
      />
      <PagedRecordTable
        title="What admins did"
        nouns={['entry', 'entries']}
        query={query}
        total={total.data?.total}
        empty="Nothing to show."
        columns={COLUMNS}
        textOf={textOf}
      />
    </div>
  );
}
