import { createHash } from 'node:crypto';
import * as Type from 'typebox';
import { CATEGORIES, type Category } from '../../../contract/categories.ts';
import { ENTRY_NAME_MAX } from '../../../contract/entries.ts';
import { inOneLine, line, text } from '../../../contract/fields.ts';
import { foldCase } from '../../../contract/folding.ts';
import { DESCRIPTION_MAX, SchoolFields } from '../../../contract/schools.ts';
import { refusals } from '../../http/refusals/refusals.ts';
import { compileCheck } from '../../http/serve/checks.ts';
import type { ImportedEntry } from './queries.ts';
import type { ImportedSchool } from './school-queries.ts';

/** The description in a file may be blank, because lists seldom have descriptions. */
const FileDescription = text({ title: 'The description', min: 0, max: DESCRIPTION_MAX });

const checkSchool = compileCheck(Type.Object({ ...SchoolFields.properties, description: FileDescription }), false);

/** A row of public lists of universities. */
interface University {
  name: unknown;
  country: unknown;
  'state-province'?: unknown;
  web_pages?: unknown;
  aliases?: unknown;
}

/**
 * The common names of countries, for those that public lists write in two ways or with a comma: the text after the last
 * comma of a location is taken for its country.
 */
export const COMMON_NAMES: Readonly<Record<string, string>> = {
  'Bolivia, Plurinational State of': 'Bolivia',
  'Congo, the Democratic Republic of the': 'Democratic Republic of the Congo',
  "Korea, Democratic People's Republic of": 'North Korea',
  'Korea, Republic of': 'South Korea',
  'Moldova, Republic of': 'Moldova',
  'Palestine, State of': 'Palestine',
  'Taiwan, Province of China': 'Taiwan',
  'Tanzania, United Republic of': 'Tanzania',
  'Venezuela, Bolivarian Republic of': 'Venezuela',
  'Viet Nam': 'Vietnam',
  'Virgin Islands, British': 'British Virgin Islands',
};

const isUniversity = (fields: object): fields is University => 'name' in fields && 'country' in fields;

/** The public list has this text as the state of a dozen universities. */
const NO_STATE = 'null';

/** The address of a web page in the form in which two are compared. */
const siteKey = (site: string) => site.toLowerCase().replace(/\/$/, '');

function importKey({ schoolName, location }: Pick<SchoolFields, 'schoolName' | 'location'>, site: string | undefined) {
  const parts = [foldCase(schoolName), foldCase(location), ...(site === undefined ? [] : [siteKey(site)])];
  // A hash, because name, location and address together can be too long for an index of PostgreSQL.
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

function optionalText(value: unknown, title: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw refusals.badInput(`${title} must be text.`);
  return value.trim() || undefined;
}

function firstPage(pages: unknown): string | undefined {
  if (pages === undefined || pages === null) return undefined;
  if (!Array.isArray(pages)) throw refusals.badInput('The web_pages must be a list.');
  return optionalText(pages[0], 'The first of the web_pages');
}

const locationOf = (state: string | undefined, country: string) => (state ? `${state}, ${country}` : country);

function universityOf(university: University): ImportedSchool {
  const country = optionalText(university.country, 'The country');
  if (!country) throw refusals.badInput('The country is missing.');
  const state = optionalText(university['state-province'], 'The state-province');
  const site = firstPage(university.web_pages);
  const location = locationOf(state === NO_STATE ? undefined : state, COMMON_NAMES[country] ?? country);
  const description = `University in ${location}.${site ? ` Website: ${site}` : ''}`;
  const { name, aliases = [] } = university;
  // Public lists have control characters in place of quotation marks.
  const schoolName = typeof name === 'string' ? inOneLine(name) : name;
  const fields = checkSchool({ schoolName, description, location, aliases });
  // Made from the original text of the list, like the keys that earlier versions stored.
  const listed = { schoolName: String(name).normalize('NFC').trim(), location: locationOf(state, country) };
  return { ...fields, hasSite: site !== undefined, importKey: importKey(listed, site) };
}

/**
 * The school that a row of an imported file describes: `schoolName, description, location`, or a university of a public
 * list, whose web page distinguishes it from others with the same name and location.
 * @throws a refusal that says what is wrong with the row
 */
export function schoolOfRow(fields: unknown): ImportedSchool {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw refusals.badInput('The row is not an object.');
  }
  if (isUniversity(fields)) return universityOf(fields);
  const school = checkSchool(fields);
  return { ...school, hasSite: false, importKey: importKey(school, undefined) };
}

const checkEntry = compileCheck(
  Type.Object({
    school: SchoolFields.properties.schoolName,
    location: Type.Optional(SchoolFields.properties.location),
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
