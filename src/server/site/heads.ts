import { entryName } from '../../contract/entries.ts';
import type { Page } from '../../contract/pages.ts';
import type { Database } from '../database/database.ts';
import { findEntryDetails } from '../entries/queries.ts';
import type { Head } from '../http/pages.ts';
import { findSchool } from '../schools/queries.ts';

const NO_INDEX = '<meta name="robots" content="noindex">';
const NOT_FOUND: Head = { status: 404, title: 'Page not found', markup: NO_INDEX };

/** An id as addresses spell it; undefined for anything else. */
function parseId(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
}

/** What an address is about, in words; undefined when it names nothing. */
async function subjectOf(database: Database, page: Page, id: number): Promise<string | undefined> {
  if (page.about === 'school') return (await findSchool(database.read, id))?.schoolName;
  if (!page.category) return undefined;
  const entry = await findEntryDetails(database.read, page.category, id);
  return entry && `${entryName(page.category, entry)} at ${entry.schoolName}`;
}

/** Makes the function that writes the head of a document: its status, its title, what search engines may do. */
export function createHeads(database: Database) {
  return async (page: Page, idText: string | undefined): Promise<Head> => {
    const markup = page.isPrivate ? NO_INDEX : '';
    if (!page.about) return { status: 200, title: page.title, markup };
    const id = parseId(idText);
    const subject = id && (await subjectOf(database, page, id));
    if (!subject) return NOT_FOUND;
    return { status: 200, title: page.category ? `${page.title} · ${subject}` : subject, markup };
  };
}
