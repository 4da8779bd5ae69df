import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { logout } from '../../../contract/accounts.ts';
import { getOpenCounts } from '../../../contract/moderation.ts';
import { PAGES } from '../../../contract/pages.ts';
import { blockUser, deleteUser, getUsers, type User, updateUser } from '../../../contract/users.ts';
import { callQuery, queryClient, request } from '../../api.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { notify } from '../../notices.ts';
import { endSession, useSession } from '../../session.ts';
import { BlockDialog } from './block-dialog.tsx';
import { DeleteWithReviewsDialog } from './delete-with-reviews-dialog.tsx';
import { changeHeldList } from './held-lists.ts';
import { RecordTable } from './record-table.tsx';
import { RowButton } from './row-button.tsx';
import type { Column } from './scrolling-table.tsx';
import { useRowAction } from './use-row-action.ts';

const usersQuery = callQuery(getUsers);
const textOf = ({ id, username }: User) => `${id} ${username}`;

export const loader = () => {
  void queryClient.prefetchQuery(usersQuery);
};

export function Component() {
  const query = useQuery(usersQuery);
  const session = useSession();
  const navigate = useNavigate();

  /** For admins who demoted or deleted themselves: their token still says that they are admins. */
  function leave(notice: string): void {
    notify.success(notice);
    endSession('logout');
    navigate(PAGES.dashboard.path);
  }

  const flip = useRowAction<User>('Nothing was changed.', async (user) => {
    const isAdmin = !user.isAdmin;
    await request(updateUser, { params: { id: user.id }, body: { isAdmin } });
    if (user.id === session?.userId && !isAdmin) {
      await request(logout).catch((cause: unknown) => console.info('The logout was not answered.', cause));
      return leave('You are no longer an admin. Please log in again.');
    }
    await changeHeldList<User[]>(usersQuery.queryKey, (rows) =>
      rows.map((row) => (row.id === user.id ? { ...row, isAdmin } : row)),
    );
    notify.success(`${user.username} is ${isAdmin ? 'an admin now' : 'no longer an admin'}.`, {
      label: 'Undo',
      run: () => flip.run({ ...user, isAdmin }),
    });
  });
  /** @param notice says what happened to the user's reviews, and that the account cannot be restored */
  async function showDeleted(user: User, notice: string): Promise<void> {
    if (user.id === session?.userId) return leave('Your account has been deleted.');
    await changeHeldList<User[]>(usersQuery.queryKey, (rows) => rows.filter(({ id }) => id !== user.id));
    notify.success(`${user.username} was deleted. ${notice} This has no Undo.`);
  }
  const remove = useRowAction<User>('The user was not deleted.', async (user) => {
    await request(deleteUser, { params: { id: user.id } });
    await showDeleted(user, 'Their reviews stay, without a name.');
  });

  const [blocking, setBlocking] = useState<User>();
  const [deleting, setDeleting] = useState<User>();
  const showUser = (user: User) =>
    changeHeldList<User[]>(usersQuery.queryKey, (rows) => rows.map((row) => (row.id === user.id ? user : row)));
  const unblock = useRowAction<User>('The user was not unblocked.', async ({ id }) => {
    const user = await request(blockUser, { params: { userId: id }, body: { isBlocked: false } });
    await showUser(user);
    notify.success(`${user.username} can log in again.`);
  });

  const columns: Column<User>[] = [
    { head: 'Id', width: 'w-18', cell: ({ id }) => <span className="text-ink-soft tabular-nums">{id}</span> },
    {
      head: 'Username',
      isRowHead: true,
      inNarrow: 'first line',
      cell: ({ username, isBlocked }) => (
        <>
          {username} {isBlocked && <b className="rounded-sm bg-danger-soft px-2 text-sm text-danger">Blocked</b>}
        </>
      ),
    },
    {
      head: 'Is Admin',
      width: 'w-24',
      cell: (user, nameId) => (
        <Checkbox
          label="Is Admin"
          hidesLabel
          className="@max-2xl:[&>span]:not-sr-only"
          aria-describedby={nameId}
          aria-busy={flip.isBusy(user)}
          checked={user.isAdmin}
          onChange={() => flip.run(user)}
        />
      ),
    },
    {
      head: 'Block',
      width: 'w-32',
      cell: (user, nameId) =>
        // An admin cannot be blocked.
        !user.isAdmin && (
          <RowButton
            variant="quiet"
            className="-mx-3"
            nameId={nameId}
            isBusy={unblock.isBusy(user)}
            onClick={() => (user.isBlocked ? unblock.run(user) : setBlocking(user))}
          >
            {user.isBlocked ? 'Unblock' : 'Block'}
          </RowButton>
        ),
    },
    {
      head: 'Delete',
      width: 'w-72',
      inNarrow: 'end',
      cell: (user, nameId) => (
        <div className="-mx-3 flex flex-wrap justify-end @2xl:justify-start">
          <RowButton variant="danger" nameId={nameId} isBusy={remove.isBusy(user)} onClick={() => remove.run(user)}>
            Delete
          </RowButton>
          <RowButton variant="danger" nameId={nameId} onClick={() => setDeleting(user)}>
            Delete with reviews
          </RowButton>
        </div>
      ),
    },
  ];

  return (
    <div className="page grid gap-6 py-10">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <PageHeading>Admin Panel</PageHeading>
        <div className="flex flex-wrap gap-3">
          <PageLink to={PAGES.moderation.path} className="button button-quiet">
            {PAGES.moderation.title}
          </PageLink>
          <span className="inline-flex items-center gap-2">
            <PageLink to={PAGES.proposals.path} className="button button-quiet">
              {PAGES.proposals.title}
            </PageLink>
            <OpenProposals />
          </span>
          <PageLink to={PAGES.adminNewest.path} className="button button-quiet">
            {PAGES.adminNewest.title}
          </PageLink>
          <PageLink to={PAGES.auditTrail.path} className="button button-quiet">
            {PAGES.auditTrail.title}
          </PageLink>
          <PageLink to={PAGES.adminSchools.path} className="button button-primary">
            Go To Schools
          </PageLink>
        </div>
      </div>
      <RecordTable
        title="Users"
        nouns={['user', 'users']}
        query={query}
        empty="No users found."
        columns={columns}
        textOf={textOf}
      />
      {blocking && <BlockDialog user={blocking} onBlocked={showUser} onClose={() => setBlocking(undefined)} />}
      {deleting && (
        <DeleteWithReviewsDialog
          user={deleting}
          onDeleted={(user) => showDeleted(user, 'Their reviews are hidden.')}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </div>
  );
}

/** How many wait for a decision, beside the link to them. */
function OpenProposals() {
  const { data } = useQuery(callQuery(getOpenCounts));
  return data && data.proposals > 0 ? <span className="text-sm text-ink-soft">{data.proposals} open</span> : null;
}
