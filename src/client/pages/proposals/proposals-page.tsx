import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { findCategory } from '../../../contract/categories.ts';
import { PAGES } from '../../../contract/pages.ts';
import { getProposals, type Proposal } from '../../../contract/proposals.ts';
import { pagedQuery } from '../../api.ts';
import { Checkbox } from '../../components/form/fields.tsx';
import { DecisionQueue } from '../../components/list/decision-queue.tsx';
import { PagedList } from '../../components/list/paged-list.tsx';
import { AdminPage } from '../../shared/admin/admin-page.tsx';
import { ProposalPanel } from './proposal-panel.tsx';

const openQuery = pagedQuery(getProposals);

const idOf = ({ id }: Proposal) => id;

function summaryOf({ kind, name, schoolName, location, category }: Proposal): readonly [string, string] {
  if (kind === 'school') return [schoolName, `School · ${location}`];
  return [name ?? '', `${findCategory(category)?.label} · ${schoolName}`];
}

/** The schools and entries that people propose, oldest first. */
export function Component() {
  const [hasKeys, setHasKeys] = useState(true);
  const query = useInfiniteQuery(openQuery);
  return (
    <AdminPage heading={PAGES.proposals.title}>
      <Checkbox label="Keyboard shortcuts" checked={hasKeys} onChange={() => setHasKeys(!hasKeys)} />
      <PagedList
        query={query}
        loading="Loading..."
        empty="No open proposals."
        failed="The proposals could not be loaded."
      >
        {(items) => (
          <DecisionQueue items={items} idOf={idOf} summaryOf={summaryOf} hasKeys={hasKeys}>
            {(item, position) => <ProposalPanel key={item.id} item={item} position={position} />}
          </DecisionQueue>
        )}
      </PagedList>
    </AdminPage>
  );
}
