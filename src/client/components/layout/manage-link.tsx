import type { Category } from '../../../contract/categories.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { useSession } from '../../session.ts';
import { PageLink } from './page-link.tsx';

interface ManageLinkProps {
  /** With a category, the link leads to the school's entries in it; without one, to the school itself. */
  schoolId?: number;
  category?: Category;
  /** With an entry, the link leads to its reviews. */
  entryId?: number;
}

function addressOf({ schoolId = 0, category, entryId }: ManageLinkProps): string {
  if (!category) return `${PAGES.adminSchools.path}#${schoolId}`;
  const { adminEntries, adminReviews } = categoryPages(category);
  return entryId === undefined ? pageAddress(adminEntries, schoolId) : pageAddress(adminReviews, entryId);
}

/** For admins only: a link from a public page to the page where they manage its data. */
export function ManageLink(subject: ManageLinkProps) {
  if (!useSession()?.isAdmin) return null;
  return (
    <PageLink
      to={addressOf(subject)}
      className="text-link no-print ml-auto inline-flex min-h-touch shrink-0 items-center"
    >
      Manage
    </PageLink>
  );
}
