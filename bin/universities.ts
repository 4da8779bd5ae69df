// npm run universities -- LIST.json [FILE.csv]: makes the catalogue that ships out of the public list of universities
// and the aliases written by hand beside it.
import { readFileSync, writeFileSync } from 'node:fs';
import { readCsv } from '../src/server/data/imports/csv-records.ts';
import { CATALOGUE_FILE } from '../src/server/data/imports/universities.ts';

const ALIASES = new URL('../src/server/data/imports/universities/aliases.csv', import.meta.url).pathname;
const HEADER = ['name', 'country', 'state-province', 'web_pages', 'aliases'];

interface Listed {
  name: string;
  country: string;
  'state-province': string | null;
  web_pages: string[];
}

/** Two institutions of one name are told apart by their countries; a list that has one twice gives both the aliases. */
const keyOf = (name: string, country: string) => JSON.stringify([name, country]);

/** The aliases of each school, by name and country. */
async function readAliases(): Promise<Map<string, string>> {
  const aliases = new Map<string, string>();
  for await (const record of readCsv(ALIASES)) {
    if ('reason' in record) throw new Error(`${ALIASES}: ${record.reason}`);
    const [name = '', country = '', texts = ''] = record.fields;
    const key = keyOf(name, country);
    if (aliases.has(key)) throw new Error(`${name} in ${country} has two lines of aliases.`);
    aliases.set(key, texts);
  }
  aliases.delete(keyOf('name', 'country'));
  return aliases;
}

const quote = (field: string) => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
const line = (fields: readonly string[]) => `${fields.map(quote).join(',')}\n`;

const [list, file = CATALOGUE_FILE] = process.argv.slice(2);
if (!list) throw new Error('Usage: npm run universities -- LIST.json [FILE.csv]');
const universities: Listed[] = JSON.parse(readFileSync(list, 'utf8'));
const aliases = await readAliases();
const unused = new Set(aliases.keys());
const rows = universities.map(({ name, country, 'state-province': state, web_pages: [page = ''] }) => {
  const key = keyOf(name, country);
  unused.delete(key);
  return [name, country, state ?? '', page, aliases.get(key) ?? ''];
});
if (unused.size > 0) throw new Error(`The list does not have ${[...unused].join(', ')}.`);
writeFileSync(file, [HEADER, ...rows].map(line).join(''));
process.stdout.write(`${file}: ${rows.length} universities, ${aliases.size} of them with aliases.\n`);
