import type { ReactNode } from 'react';
import { PAGES } from '../../../contract/pages.ts';
import {
  describeUserState,
  MAIL_STATE_TEXTS,
  MAIL_TEXTS,
  momentText,
  REFUSAL_REASON_TEXTS,
} from '../../../contract/user-sentences.ts';
import {
  endUserSessions,
  getUserState,
  mailPasscode,
  type UserState,
  unlockUser,
} from '../../../contract/user-state.ts';
import { actionFailureText, request } from '../../api.ts';
import { NotFoundMessage } from '../../components/feedback/page-problem.tsx';
import { Button } from '../../components/form/button.tsx';
import { TextLink } from '../../components/layout/page-link.tsx';
import { Loaded } from '../../components/list/list-states.tsx';
import { dateText } from '../../format.ts';
import { useGuardedMutation } from '../../guard.ts';
import { passFocusOn } from '../../navigation.ts';
import { notify } from '../../notices.ts';
import { isNotFound, usePageId, useRead } from '../../page.ts';
import { AdminPage } from '../../shared/admin/admin-page.tsx';
import { filterAddress } from './audit-filter.ts';

/** One person who asks for help: whether they can log in, why not, and what an admin can do about it. */
export function Component() {
  const userId = usePageId();
  const query = useRead(getUserState, { params: { userId } });
  const username = query.data?.username;
  if (isNotFound(query.error)) return <NotFoundMessage />;
  return (
    <AdminPage heading={username ?? PAGES.adminUser.title} title={username}>
      <Loaded query={query} failed="The user could not be loaded.">
        {(state) => <UserDetails state={state} reload={query.refetch} />}
      </Loaded>
    </AdminPage>
  );
}

function UserDetails({ state, reload }: { state: UserState; reload: () => Promise<unknown> }) {
  const [verdict, ...others] = describeUserState(state);
  return (
    <>
      <section tabIndex={-1} className="card grid max-w-prose gap-4 p-5 sm:p-6" aria-label="Logging in">
        <p className="text-lg font-semibold wrap-anywhere">{verdict}</p>
        <ul className="grid gap-1">
          {others.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <HelpButtons state={state} reload={reload} />
      </section>
      <Facts state={state} />
      <div className="grid gap-8 lg:grid-cols-2">
        <EventList
          title="Refused logins"
          empty="None in the last 30 days."
          rows={state.refusedLogins.map(({ at, reason }) => [at, `${REFUSAL_REASON_TEXTS[reason]}.`])}
        />
        <EventList
          title="Mails about the account"
          empty="None in the last 30 days."
          rows={state.mails.map((mail) => [mail.at, `${MAIL_TEXTS[mail.purpose]}: ${MAIL_STATE_TEXTS[mail.state]}.`])}
        />
      </div>
    </>
  );
}

/** The actions that make sense for the account's state. */
function HelpButtons({ state, reload }: { state: UserState; reload: () => Promise<unknown> }) {
  const parts = { params: { userId: state.id } };
  const { mutate, isPending, variables } = useGuardedMutation({
    mutationFn: async ({ call, successText }: { call: typeof unlockUser; successText: string }) => {
      await request(call, parts);
      notify.success(successText);
      await reload();
    },
    onError: (cause) => notify.failure(actionFailureText(cause, 'Nothing was changed.')),
  });
  const button = (call: typeof unlockUser, label: string, successText: string) => (
    <Button
      variant="quiet"
      // A button disappears when its action has nothing left to do.
      ref={passFocusOn}
      isPending={isPending && variables.call === call}
      onClick={() => mutate({ call, successText: `${state.username} ${successText}` })}
    >
      {label}
    </Button>
  );
  return (
    <div className="flex flex-wrap gap-3">
      {!state.isVerified && button(mailPasscode, 'Mail a passcode', 'gets a new passcode.')}
      {button(unlockUser, 'Unlock', 'is not locked any more.')}
      {state.sessions > 0 && button(endUserSessions, 'Log out everywhere', 'is logged out everywhere.')}
    </div>
  );
}

function Facts({ state }: { state: UserState }) {
  const facts: [string, ReactNode][] = [
    ['Id', state.id],
    ['Signed up', dateText(state.createdAt)],
    ['Email', state.isVerified ? 'Verified' : 'Not verified'],
    ['Role', state.isAdmin ? 'Admin' : 'User'],
    ['Signed reviews', state.signedReviews],
    [
      'Audit trail',
      <TextLink key="trail" to={filterAddress({ subjectKind: 'user', subjectId: state.id })}>
        What admins did
      </TextLink>,
    ],
  ];
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-3">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt className="text-sm text-ink-soft">{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface EventListProps {
  title: string;
  empty: string;
  rows: readonly (readonly [at: string, text: string])[];
}

function EventList({ title, empty, rows }: EventListProps) {
  return (
    <section className="min-w-0">
      <h2 className="text-xl">{title}</h2>
      {rows.length === 0 && <p className="mt-2 text-ink-soft">{empty}</p>}
      <ol className="mt-2 grid">
        {rows.map(([at, text], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two events can have the same time.
          <li key={`${index} ${at}`} className="flex flex-wrap gap-x-4 border-t border-line py-2">
            <time dateTime={at} className="w-36 shrink-0 text-ink-soft tabular-nums">
              {momentText(at)}
            </time>
            <span>{text.charAt(0).toUpperCase() + text.slice(1)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
