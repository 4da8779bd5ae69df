import { useInfiniteQuery } from '@tanstack/react-query';
import { type AdminAct, getAdminActs } from '../../../contract/audit.ts';
import { PAGES } from '../../../contract/pages.ts';
import { pagedQuery, queryClient } from '../../api.ts';
import { Breadcrumb } from '../../components/breadcrumb.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { PagedRecordTable } from './paged-record-table.tsx';
import type { Column } from './scrolling-table.tsx';

const actsQuery = pagedQuery(getAdminActs);
const textOf = ({ username, act, target }: AdminAct) => `${username} ${act} ${target}`;

export const loader = () => {
  void queryClient.prefetchInfiniteQuery(actsQuery);
};

const COLUMNS: Column<AdminAct>[] = [
  {
    head: 'When',
    width: 'w-36 sm:w-48',
    cell: ({ at }) => (
      <time dateTime={at} className="tabular-nums">
        {new Date(at).toLocaleString()}
      </time>
    ),
  },
  { head: 'Who', width: 'w-32 sm:w-40', isRowHead: true, cell: ({ username }) => username },
  { head: 'Act', width: 'w-44 sm:w-52', cell: ({ act }) => act },
  { head: 'Target', cell: ({ target }) => <span className="wrap-anywhere">{target}</span> },
];

/** What admins have done, newest first; nobody can change it. */
export function Component() {
  const query = useInfiniteQuery(actsQuery);

  return (
    <div className="page grid gap-6 pt-4 pb-10">
      <div>
        <Breadcrumb trail={[{ label: PAGES.adminUsers.title, to: PAGES.adminUsers.path }]} />
        <PageHeading>{PAGES.adminActs.title}</PageHeading>
      </div>
      <PagedRecordTable
        title="Acts of admins"
        nouns={['act', 'acts']}
        query={query}
        empty="No admin has done anything yet."
        columns={COLUMNS}
        minWidth="min-w-2xl"
        textOf={textOf}
      />
    </div>
  );
}
