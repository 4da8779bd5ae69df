// npm run universities -- LIST.json [FILE.csv]: makes the catalogue that the product ships. Its sources are the public
// list of universities and two files of aliases: those written by hand, and the names in own scripts with their origin.
import { readFileSync, writeFileSync } from 'node:fs';
import { foldSearch } from '../src/contract/folding.ts';
import { readCsv } from '../src/server/data/imports/csv-records.ts';
import { CATALOGUE_FILE } from '../src/server/data/imports/import-file.ts';

const fileBeside = (name: string) =>
  new URL(`../src/server/data/imports/universities/${name}`, import.meta.url).pathname;
const ALIASES = fileBeside('aliases.csv');
const OWN_SCRIPT = fileBeside('own-script.csv');
const HEADER = ['name', 'country', 'state-province', 'web_pages', 'aliases'];

interface Listed {
  name: string;
  country: string;
  'state-province': string | null;
  web_pages: string[];
}

/** Two institutions of one name are told apart by their countries. If a list has one twice, both get the aliases. */
const keyOf = (name: string, country: string) => JSON.stringify([name, country]);

/** The rows of a file without its header. */
async function* readRows(file: string): AsyncGenerator<string[]> {
  let isHeader = true;
  for await (const record of readCsv(file)) {
    if ('reason' in record) throw new Error(`${file}: ${record.reason}`);
    if (!isHeader) yield record.fields;
    isHeader = false;
  }
}

/** The aliases of each school, by name and country. */
async function readAliases(): Promise<Map<string, string[]>> {
  const aliases = new Map<string, string[]>();
  for await (const [name = '', country = '', texts = ''] of readRows(ALIASES)) {
    const key = keyOf(name, country);
    if (aliases.has(key)) throw new Error(`${name} in ${country} has two lines of aliases.`);
    aliases.set(key, texts.split('|'));
  }
  for await (const [name = '', country = '', , alias = ''] of readRows(OWN_SCRIPT)) {
    const key = keyOf(name, country);
    const others = aliases.get(key) ?? [];
    // A name in simplified and one in traditional characters are often the same.
    if (!others.some((other) => foldSearch(other) === foldSearch(alias))) aliases.set(key, [...others, alias]);
  }
  return aliases;
}

const quote = (field: string) => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
const line = (fields: readonly string[]) => `${fields.map(quote).join(',')}\n`;

const [list, file = CATALOGUE_FILE] = process.argv.slice(2);
if (!list || list.startsWith('--')) {
  process.stderr.write('Usage: npm run universities -- LIST.json [FILE.csv]\n');
  process.exit(list === '--help' ? 0 : 1);
}
const universities: Listed[] = JSON.parse(readFileSync(list, 'utf8'));
const aliases = await readAliases();
const unused = new Set(aliases.keys());
const rows = universities.map(({ name, country, 'state-province': state, web_pages: [page = ''] }) => {
  const key = keyOf(name, country);
  unused.delete(key);
  return [name, country, state ?? '', page, aliases.get(key)?.join('|') ?? ''];
});
if (unused.size > 0) throw new Error(`The list does not have ${[...unused].join(', ')}.`);
writeFileSync(file, [HEADER, ...rows].map(line).join(''));
process.stdout.write(`${file}: ${rows.length} universities, ${aliases.size} of them with aliases.\n`);
