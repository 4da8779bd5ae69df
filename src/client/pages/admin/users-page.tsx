import { useState } from 'react';
import { useNavigate } from 'react-router';
import { logout } from '../../../contract/accounts.ts';
import { INVALID_EMAIL, looksLikeEmail } from '../../../contract/email.ts';
import { getOpenCounts } from '../../../contract/moderation.ts';
import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { findUser } from '../../../contract/user-state.ts';
import { blockUser, deleteUser, getUsers, type User, updateUser } from '../../../contract/users.ts';
import { CallError, callQuery, failureText, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { Checkbox, Field, FormError } from '../../components/form/fields.tsx';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { PageLink, StandaloneLink } from '../../components/layout/page-link.tsx';
import { readField, useForm } from '../../form.ts';
import { countText } from '../../format.ts';
import { notify } from '../../notices.ts';
import { useRead } from '../../page.ts';
import { endSession, useSession } from '../../session.ts';
import { RowButton, updateCachedList, useRowAction } from '../../shared/admin/row-actions.tsx';
import { deleteColumn, idColumn, RecordTable } from './record-table.tsx';
import type { Column } from './scrolling-table.tsx';
import { aboutUser, BlockDialog, DeleteWithReviewsDialog } from './user-dialogs.tsx';

const textOf = ({ id, username }: User) => `${id} ${username}`;

/** Updates the user in the cached list; undefined removes them. */
const showUser = (id: number, changed: User | undefined) =>
  updateCachedList<User[]>(callQuery(getUsers).queryKey, (rows) =>
    rows.flatMap((row) => (row.id === id ? (changed ?? []) : row)),
  );

/** The actions on users that need no confirmation. */
function useUserActions() {
  const session = useSession();
  const navigate = useNavigate();

  /** For admins who demoted or deleted themselves: their token still says that they are admins. */
  function leaveAdminPages(notice: string): void {
    notify.success(notice);
    endSession('logout');
    navigate(PAGES.dashboard.path);
  }

  /** @param notice says what happened to the user's reviews, and that the account cannot be restored */
  async function showDeleted({ id, username }: User, notice: string): Promise<void> {
    if (id === session?.userId) return leaveAdminPages('Your account has been deleted.');
    await showUser(id, undefined);
    notify.success(`${username} was deleted. ${notice} This has no Undo.`, aboutUser(id));
  }

  const toggleAdmin = useRowAction<User>('Nothing was changed.', async (user) => {
    const isAdmin = !user.isAdmin;
    await request(updateUser, { params: { id: user.id }, body: { isAdmin } });
    if (user.id === session?.userId && !isAdmin) {
      await Promise.allSettled([request(logout)]);
      return leaveAdminPages('You are no longer an admin. Please log in again.');
    }
    await showUser(user.id, { ...user, isAdmin });
    notify.success(`${user.username} is ${isAdmin ? 'an admin now' : 'no longer an admin'}.`, aboutUser(user.id), {
      label: 'Undo',
      run: () => toggleAdmin.run({ ...user, isAdmin }),
    });
  });
  const remove = useRowAction<User>('The user was not deleted.', async (user) => {
    await request(deleteUser, { params: { id: user.id } });
    await showDeleted(user, 'Their reviews stay, without a name.');
  });
  const unblock = useRowAction<User>('The user was not unblocked.', async ({ id }) => {
    const user = await request(blockUser, { params: { userId: id }, body: { isBlocked: false } });
    await showUser(id, user);
    notify.success(`${user.username} can log in again.`, aboutUser(id));
  });
  return { toggleAdmin, remove, unblock, showDeleted };
}

interface ColumnActions extends Pick<ReturnType<typeof useUserActions>, 'toggleAdmin' | 'remove' | 'unblock'> {
  onBlock: (user: User) => void;
  onDeleteWithReviews: (user: User) => void;
}

const columnsFor = ({ toggleAdmin, remove, unblock, onBlock, onDeleteWithReviews }: ColumnActions): Column<User>[] => [
  { ...idColumn, head: 'Id' },
  {
    head: 'Username',
    isRowHead: true,
    inNarrow: 'first line',
    cell: ({ id, username, isBlocked }) => (
      <>
        <StandaloneLink to={pageAddress(PAGES.adminUser, id)}>{username}</StandaloneLink>
        {isBlocked && <b className="ml-2 rounded-sm bg-danger-soft px-2 text-sm text-danger">Blocked</b>}
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
        aria-busy={toggleAdmin.isBusy(user)}
        checked={user.isAdmin}
        onChange={() => toggleAdmin.run(user)}
      />
    ),
  },
  deleteColumn(remove),
  // After the columns of the specification, and away from "Delete", which acts at once.
  {
    head: 'More',
    width: 'w-80',
    inNarrow: 'last line',
    cell: (user, nameId) => (
      <div className="-mx-3 flex flex-wrap">
        <span className="w-26">
          {/* An admin cannot be blocked. */}
          {!user.isAdmin && (
            <RowButton
              variant="quiet"
              nameId={nameId}
              isBusy={unblock.isBusy(user)}
              onClick={() => (user.isBlocked ? unblock.run(user) : onBlock(user))}
            >
              {user.isBlocked ? 'Unblock' : 'Block'}
            </RowButton>
          )}
        </span>
        <RowButton variant="danger" nameId={nameId} onClick={() => onDeleteWithReviews(user)}>
          Delete with reviews
        </RowButton>
      </div>
    ),
  },
];

export function Component() {
  const query = useRead(getUsers);
  const { showDeleted, ...actions } = useUserActions();
  const [blocking, setBlocking] = useState<User>();
  const [deleting, setDeleting] = useState<User>();

  return (
    <div className="page grid grid-cols-[minmax(0,1fr)] gap-6 py-10">
      {/* The links stand below the heading, where no notice covers them. */}
      <div className="grid gap-4">
        <PageHeading>Admin Panel</PageHeading>
        <AdminLinks />
      </div>
      <WaitingCounts />
      <RecordTable
        title="Users"
        nouns={['user', 'users']}
        query={query}
        empty="No users found."
        columns={columnsFor({ ...actions, onBlock: setBlocking, onDeleteWithReviews: setDeleting })}
        textOf={textOf}
      />
      <FindUser />
      {blocking && (
        <BlockDialog
          user={blocking}
          onDone={(user) => showUser(user.id, user)}
          onClose={() => setBlocking(undefined)}
        />
      )}
      {deleting && (
        <DeleteWithReviewsDialog
          user={deleting}
          onDone={(user) => showDeleted(user, 'Their reviews are hidden.')}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </div>
  );
}

/** Opens the page of the person with an email, which is noted in the audit trail. */
function FindUser() {
  const navigate = useNavigate();
  const { onSubmit, problem, isPending } = useForm({
    read: (form) => readField(form, 'email').trim(),
    check: (email) => (looksLikeEmail(email) ? [] : [{ text: INVALID_EMAIL, field: 'email' }]),
    send: (email) => request(findUser, { body: { email } }),
    onSuccess: ({ id }) => void navigate(pageAddress(PAGES.adminUser, id)),
    failureOf: (error) =>
      error instanceof CallError && error.status === 404
        ? 'No account has this email.'
        : failureText(error, 'The user was not found: '),
  });
  return (
    <form onSubmit={onSubmit} noValidate className="no-print flex flex-wrap items-end gap-2">
      <FormError>{problem.errorOf()}</FormError>
      <Field label="Find by email" {...problem.field('email')} type="email" autoComplete="off" className="w-56" />
      <Button type="submit" variant="quiet" isPending={isPending}>
        Find
      </Button>
    </form>
  );
}

/** Links to the other pages for admins, the one of the specification first. */
function AdminLinks() {
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
      <PageLink to={PAGES.adminSchools.path} className="button button-primary">
        Go To Schools
      </PageLink>
      {[PAGES.moderation, PAGES.proposals, PAGES.adminNewest, PAGES.numbers, PAGES.auditTrail].map(
        ({ path, title }) => (
          <StandaloneLink key={path} to={path}>
            {title}
          </StandaloneLink>
        ),
      )}
    </div>
  );
}

/** The numbers of open decisions, with links to the pages where admins decide. */
function WaitingCounts() {
  const { data } = useRead(getOpenCounts);
  if (!data) return <p className="min-h-touch" />;
  const waiting = [
    {
      page: PAGES.moderation,
      count: data.reports,
      text: countText(data.reports, 'review to decide about', 'reviews to decide about'),
    },
    { page: PAGES.proposals, count: data.proposals, text: countText(data.proposals, 'proposal') },
  ].filter(({ count }) => count > 0);
  if (waiting.length === 0) return <p className="flex min-h-touch items-center">Nothing waits for a decision.</p>;
  return (
    <ul className="-my-4 flex min-h-touch flex-wrap items-center gap-x-3">
      <li>Waiting:</li>
      {waiting.map(({ page, text }) => (
        <li key={page.path}>
          <StandaloneLink to={page.path} className="font-semibold">
            {text}
          </StandaloneLink>
        </li>
      ))}
    </ul>
  );
}
