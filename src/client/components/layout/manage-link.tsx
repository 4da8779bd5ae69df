import { useSession } from '../../session.ts';
import { PageLink } from './page-link.tsx';

/** For admins only: a link from a public page to the page where they manage its data. */
export function ManageLink({ to }: { to: string }) {
  if (!useSession()?.isAdmin) return null;
  return (
    <PageLink to={to} className="text-link no-print ml-auto inline-flex min-h-touch shrink-0 items-center">
      Manage
    </PageLink>
  );
}
