import { useId, useRef } from 'react';
import { useNavigate } from 'react-router';
import { logoutAll } from '../../../contract/accounts.ts';
import { endMySession, getMySessions, type MySession } from '../../../contract/my-account.ts';
import { PAGES } from '../../../contract/pages.ts';
import { actionFailureText, invalidateReads, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { QueryList } from '../../components/list/list-states.tsx';
import { dateText } from '../../format.ts';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { useRead } from '../../page.ts';
import { endSession, useSession } from '../../session.ts';

const sessionTimeText = (instant: string) => `${dateText(instant)}, ${instant.slice(11, 16)} UTC`;

/** Where the user is signed in. @param isShown whether the sessions are read and listed */
export function Sessions({ isShown }: { isShown: boolean }) {
  const session = useSession();
  const query = useRead(getMySessions, {}, { enabled: isShown && session !== null });
  const heading = useRef<HTMLHeadingElement>(null);
  const ending = useGuardedMutation({
    mutationFn: (id: number) => request(endMySession, { params: { id } }),
    onSuccess: async () => {
      notify.success('Session ended.');
      await invalidateReads(getMySessions);
      // The focused button has gone with its row.
      heading.current?.focus();
    },
    onError: (cause) => notify.failure(actionFailureText(cause, 'The session was not ended.')),
  });
  return (
    <section aria-labelledby="sessions-title" className="grid gap-3">
      <h2 id="sessions-title" ref={heading} tabIndex={-1} className="text-lg">
        Sessions
      </h2>
      {isShown && (
        <QueryList
          query={query}
          loading="Loading sessions..."
          empty="No sessions."
          failed="The sessions could not be loaded."
        >
          {(sessions) => (
            <ul className="rows">
              {sessions.map((one) => (
                <SessionRow
                  key={one.id}
                  session={one}
                  isPending={ending.isPending && ending.variables === one.id}
                  onEnd={() => ending.mutate(one.id)}
                />
              ))}
            </ul>
          )}
        </QueryList>
      )}
      <LogOutEverywhere />
    </section>
  );
}

interface SessionRowProps {
  session: MySession;
  isPending: boolean;
  onEnd: () => void;
}

function SessionRow({ session: { createdAt, lastUsedAt, isThis }, isPending, onEnd }: SessionRowProps) {
  const id = useId();
  return (
    <li className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line py-2">
      <div id={id}>
        <p>{`Last used ${sessionTimeText(lastUsedAt)}`}</p>
        <p className="text-sm text-ink-soft">{`Since ${sessionTimeText(createdAt)}`}</p>
      </div>
      {isThis ? (
        <p className="font-semibold">This one</p>
      ) : (
        <Button variant="quiet" aria-describedby={id} isPending={isPending} onClick={onEnd}>
          End session
        </Button>
      )}
    </li>
  );
}

function LogOutEverywhere() {
  const navigate = useNavigate();
  const ending = useGuardedMutation({
    mutationFn: () => request(logoutAll),
    onSuccess: () => {
      endSession('logout');
      navigate(PAGES.dashboard.path);
    },
    onError: (cause) => notify.failure(actionFailureText(cause, 'You were not logged out.')),
  });
  return (
    <div className="grid justify-items-start gap-2">
      <Button variant="danger" isPending={ending.isPending} onClick={() => ending.mutate()}>
        Log out everywhere
      </Button>
      <p className="text-sm text-ink-soft">This logs you out on this device and on all others.</p>
    </div>
  );
}
