import * as Type from 'typebox';
import { CATEGORIES, type Category } from '../../../contract/categories.ts';
import { ENTRY_NAME_MAX } from '../../../contract/entries.ts';
import { line, text } from '../../../contract/fields.ts';
import { foldCase } from '../../../contract/folding.ts';
import { SchoolFields } from '../../../contract/schools.ts';
import { refusals } from '../../http/refusals/refusals.ts';
import { compileCheck } from '../../http/serve/checks.ts';
import type { ImportedEntry } from './queries.ts';
import { FileDescription } from './school-row.ts';

const { schoolName, location } = SchoolFields.properties;

const checkEntry = compileCheck(
  Type.Object({
    school: schoolName,
    location: Type.Optional(location),
    category: text({ title: 'The category', max: 100 }),
    name: line({ title: 'The name', max: ENTRY_NAME_MAX }),
    description: FileDescription,
  }),
  false,
);

/** Whether a row of an imported file describes an entry, and not a school. */
export function isEntryRow(fields: unknown): fields is object {
  return typeof fields === 'object' && fields !== null && 'school' in fields && 'category' in fields;
}

function categoryOf(name: string): Category {
  const category = CATEGORIES.find(({ kind, label }) => [kind, label].map(foldCase).includes(foldCase(name)));
  if (category) return category;
  throw refusals.badInput(`The category must be one of ${CATEGORIES.map(({ label }) => label).join(', ')}.`);
}

/** The entry that a row of an imported file describes. @throws a refusal that says what is wrong with the row */
export function entryOfRow(fields: object): ImportedEntry {
  const { category, ...entry } = checkEntry(fields);
  return { ...entry, category: categoryOf(category) };
}
