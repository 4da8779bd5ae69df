import { CATEGORIES } from '../src/contract/categories.ts';
import { categoryPages, PAGES, type Page, pageAddress } from '../src/contract/pages.ts';
import type { Store } from './data.ts';
import type { Options } from './options.ts';

/** A page that everyone may open, at one of its addresses. */
export interface VisitedPage {
  readonly page: Page;
  readonly address: string;
}

/** Every public page: of the school with the most reviewed entry, and of that school's most reviewed entries. */
export async function readVisitedPages(store: Store, { only }: Options): Promise<VisitedPage[]> {
  const database = await store.open();
  try {
    const rows = await database.read
      .selectFrom('review_counts')
      .select(['entry_id as id', 'kind', 'school_id'])
      .orderBy('review_count', 'desc')
      .orderBy('id')
      .execute();
    const schoolId = rows[0]?.school_id;
    const idOf = ({ about, category }: Page) => {
      if (about === 'school') return schoolId;
      return rows.find(({ kind, school_id }) => kind === category?.kind && school_id === schoolId)?.id;
    };
    const pages: Page[] = [...Object.values(PAGES), ...CATEGORIES.flatMap((one) => Object.values(categoryPages(one)))];
    return pages
      .filter(({ guard, path }) => !guard && (only.length === 0 || only.includes(path)))
      .map((page) => ({ page, address: page.about ? pageAddress(page, idOf(page)) : page.path }));
  } finally {
    await database.close();
  }
}
