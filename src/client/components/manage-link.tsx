import type { Category } from '../../contract/categories.ts';
import { categoryPages, PAGES, pageAddress } from '../../contract/pages.ts';
import { useSession } from '../session.ts';
import { PageLink } from './page-link.tsx';

interface ManageLinkProps {
  /** With a category its entries there, without one the school itself. */
  schoolId?: number;
  category?: Category;
  /** The reviews of this entry of the category. */
  entryId?: number;
}

function addressOf({ schoolId = 0, category, entryId }: ManageLinkProps): string {
  if (!category) return `${PAGES.adminSchools.path}#${schoolId}`;
  const { adminEntries, adminReviews } = categoryPages(category);
  return entryId === undefined ? pageAddress(adminEntries, schoolId) : pageAddress(adminReviews, entryId);
}

/** The way from a public page to where admins manage what it shows; for nobody else. */
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
