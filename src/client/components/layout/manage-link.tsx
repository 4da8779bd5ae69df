import { useSession } from '../../session.ts';
import { StandaloneLink } from './page-link.tsx';

/** For admins only: a link from a public page to the page where they manage its data. */
export function ManageLink({ to }: { to: string }) {
  if (!useSession()?.isAdmin) return null;
  return (
    <StandaloneLink to={to} className="no-print ml-auto shrink-0">
      Manage
    </StandaloneLink>
  );
}
