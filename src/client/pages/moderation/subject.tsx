import { findCategory } from '../../../contract/categories.ts';
import type { ModerationItem } from '../../../contract/moderation.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { TextLink } from '../../components/layout/page-link.tsx';

/** Links to the entry and the school of the review. */
export function Subject({
  item: { category: kind, entryId, entryName, schoolId, schoolName },
}: {
  item: ModerationItem;
}) {
  const category = findCategory(kind);
  return (
    <>
      {category && <TextLink to={pageAddress(categoryPages(category).reviews, entryId)}>{entryName}</TextLink>}
      <span>{` · ${category?.label} · `}</span>
      <TextLink to={pageAddress(PAGES.school, schoolId)}>{schoolName}</TextLink>
    </>
  );
}
