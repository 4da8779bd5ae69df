import { PAGES } from '../../../contract/pages.ts';
import { Button } from '../../components/form/button.tsx';
import { PageLink } from '../../components/layout/page-link.tsx';
import { focusPage } from '../../navigation.ts';
import { useNext } from '../../next.ts';
import { useSession } from '../../session.ts';
import { logOut } from '../../shared/accounts/log-out.ts';

/** Tells somebody that they are signed in already, above a form for people who are not. */
export function SignedInNote() {
  const session = useSession();
  const next = useNext();
  if (!session) return null;

  function leave(): void {
    logOut();
    // The button is gone with the note.
    focusPage();
  }

  return (
    <div className="mt-5 grid gap-3 rounded-sm border border-line bg-sunken p-3">
      <p className="wrap-anywhere">
        You are signed in as <bdi>{session.username}</bdi>.
      </p>
      <div className="flex flex-wrap gap-3">
        <PageLink to={next ?? PAGES.dashboard.path} className="button button-primary">
          Continue
        </PageLink>
        <Button variant="quiet" onClick={leave}>
          Log out
        </Button>
      </div>
    </div>
  );
}
