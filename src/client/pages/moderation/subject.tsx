import { findCategory } from '../../../contract/categories.ts';
import type { ModerationItem } from '../../../contract/moderation.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { PageLink } from '../../components/layout/page-link.tsx';

/** Links to the entry and the school of the review. */
export function Subject({
  item: { category: kind, entryId, entryName, schoolId, schoolName },
}: {
  item: ModerationItem;
}) {
  const category = findCategory(kind);
  return (
    <>
      {category && (
        <PageLink to={pageAddress(categoryPages(category).reviews, entryId)} className="text-link">
          {entryName}
        </PageLink>
      )}
      <span>{` · ${category?.label} · `}</span>
      <PageLink to={pageAddress(PAGES.school, schoolId)} className="text-link">
        {schoolName}
      </PageLink>
    </>
  );
}
