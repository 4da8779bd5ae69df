import { readFile, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Refusal, refusals } from '../../http/refusals/refusals.ts';
import { readCsv, readCsvText } from './csv-records.ts';
import { entryOfRow, isEntryRow, schoolOfRow } from './file-rows.ts';
import type { ImportedEntry } from './queries.ts';
import type { ImportedSchool } from './school-queries.ts';

/** The name of the catalogue for `npm run import`. */
export const CATALOGUE = 'universities';

/** The universities of the world. README.md beside the file describes it. */
export const CATALOGUE_FILE = fileURLToPath(new URL('universities/universities.csv', import.meta.url));

/** The maximum size of a JSON file, which is read into memory as a whole. */
const JSON_MAX_MB = 200;
const MB = 1024 * 1024;

interface Sheet {
  /** The columns that only this kind of sheet has. */
  identifyingColumns: readonly string[];
  /** The required columns. */
  columns: readonly string[];
  optional: readonly string[];
}

const SCHOOLS: Sheet = {
  identifyingColumns: ['schoolName'],
  columns: ['schoolName', 'description', 'location'],
  optional: ['aliases'],
};
const ENTRIES: Sheet = {
  identifyingColumns: ['school', 'category'],
  columns: ['school', 'category', 'name', 'description'],
  optional: ['location'],
};
const UNIVERSITIES: Sheet = {
  identifyingColumns: ['name', 'country'],
  columns: ['name', 'country'],
  optional: ['state-province', 'web_pages', 'aliases'],
};
const SHEETS = [SCHOOLS, ENTRIES, UNIVERSITIES];

/** Columns with several values. */
const LIST_COLUMNS: ReadonlySet<string> = new Set(['aliases', 'web_pages']);
const LIST_SEPARATOR = '|';

/** The school or entry of a row, or the reason why there is none. */
type RowContent = { school: ImportedSchool } | { entry: ImportedEntry } | { reason: string };

/** One row of the file. */
export type ImportRow = {
  /** Counted from 1 without the header. */
  number: number;
  /** The line of the file on which the row begins; of JSON the same as `number`. */
  line: number;
  /** The part of the file that has been read, from 0 to 1. */
  share: number;
} & RowContent;

type RawRow = { share: number; line: number } & ({ fields: unknown } | { reason: string });

interface ImportFile {
  path: string;
  name: string;
  /** In the unit of `bytesRead`: bytes of a file, characters of a text in memory. */
  size: number;
}

/** TextDecoder replaces bytes that are not UTF-8 with this character. */
const isGarbled = (text: string) => text.includes('\uFFFD');

const columnKey = (column: string) => column.toLowerCase().replaceAll(/[\s_-]/g, '');

/** Reads the fields of one row. */
type RowReader = (fields: string[]) => { fields: unknown } | { reason: string };

/**
 * @returns the function that reads the rows below this header
 * @throws if it is not UTF-8, or a column is missing or there twice
 */
function createRowReader(name: string, header: string[]): RowReader {
  if (isGarbled(header.join()) || header.join().includes('\0')) throw refusals.badInput(`${name} is not UTF-8 text.`);
  const keys = header.map(columnKey);
  const has = (column: string) => keys.includes(columnKey(column));
  const { columns, optional } = SHEETS.find(({ identifyingColumns }) => identifyingColumns.every(has)) ?? SCHOOLS;
  const missing = columns.filter((column) => !has(column));
  if (missing.length > 0) {
    throw refusals.badInput(
      `${name} must begin with a line that names the columns ${columns.join(', ')}, with commas, semicolons or tabs between; missing: ${missing.join(', ')}.`,
    );
  }
  const known = [...columns, ...optional.filter(has)];
  const twice = known.find((column) => keys.indexOf(columnKey(column)) !== keys.lastIndexOf(columnKey(column)));
  if (twice) throw refusals.badInput(`${name} names the column ${twice} twice.`);
  const positions = known.map((column) => [column, keys.indexOf(columnKey(column))] as const);
  return (fields) => {
    if (fields.length !== header.length)
      return { reason: `The row has not as many fields as the header: ${fields.length} instead of ${header.length}.` };
    if (isGarbled(fields.join())) return { reason: 'The row is not UTF-8 text.' };
    const values = positions.flatMap(([column, position]) => {
      const text = fields[position] ?? '';
      if (text === '' && optional.includes(column)) return [];
      return [[column, LIST_COLUMNS.has(column) ? splitList(text) : text]];
    });
    return { fields: Object.fromEntries(values) };
  };
}

function splitList(text: string): string[] {
  return text.split(LIST_SEPARATOR).filter((item) => item.trim() !== '');
}

async function* rowsOf(
  { name, size }: Omit<ImportFile, 'path'>,
  records: ReturnType<typeof readCsv>,
): AsyncGenerator<RawRow> {
  let readRow: RowReader | undefined;
  for await (const { bytesRead, line, ...record } of records) {
    const share = bytesRead / size;
    if (readRow) yield { share, line, ...('reason' in record ? record : readRow(record.fields)) };
    else readRow = createRowReader(name, 'fields' in record ? record.fields : []);
  }
}

function parseJson(name: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it is not UTF-8 text';
    throw refusals.badInput(`${name} is not valid JSON: ${reason}.`);
  }
}

async function* readJsonRows({ path, name, size }: ImportFile): AsyncGenerator<RawRow> {
  if (size > JSON_MAX_MB * MB) {
    throw refusals.badInput(
      `${name} is larger than ${JSON_MAX_MB} MB. Split it, or use CSV, which may be of any size.`,
    );
  }
  const rows = parseJson(name, await readFile(path));
  if (!Array.isArray(rows)) throw refusals.badInput(`${name} must be a list of schools or entries.`);
  for (const [index, fields] of rows.entries()) yield { share: (index + 1) / rows.length, line: index + 1, fields };
}

function checkRow(row: RawRow): RowContent {
  if ('reason' in row) return row;
  try {
    return isEntryRow(row.fields) ? { entry: entryOfRow(row.fields) } : { school: schoolOfRow(row.fields) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { reason: error.message };
  }
}

async function findFile(path: string): Promise<ImportFile> {
  const name = basename(path);
  const found = await stat(path).catch((error) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (!found) throw refusals.badInput(`There is no file ${path}.`);
  if (!found.isFile()) throw refusals.badInput(`${path} is not a file.`);
  if (found.size === 0) throw refusals.badInput(`${name} is empty.`);
  return { path, name, size: found.size };
}

const READERS: Record<string, (file: ImportFile) => AsyncGenerator<RawRow>> = {
  '.csv': (file) => rowsOf(file, readCsv(file.path)),
  '.json': readJsonRows,
};

/**
 * Reads the schools or entries of a CSV or JSON file.
 * @throws a refusal when the whole file is unreadable; for a bad row it yields the reason instead
 */
export async function* readImportFile(path: string): AsyncGenerator<ImportRow> {
  const file = await findFile(path);
  const read = READERS[extname(path).toLowerCase()];
  if (!read) throw refusals.badInput(`${file.name} must end in .csv or .json.`);
  yield* checkRows(file.name, read(file));
}

/**
 * Reads the schools or entries of a CSV file that is in memory.
 * @throws a refusal when it has no header or no rows
 */
export async function* readImportText(csv: string): AsyncGenerator<ImportRow> {
  const file = { name: 'The file', size: csv.length };
  yield* checkRows(file.name, rowsOf(file, readCsvText(csv)));
}

async function* checkRows(name: string, rows: AsyncIterable<RawRow>): AsyncGenerator<ImportRow> {
  let number = 0;
  for await (const row of rows) {
    number += 1;
    yield { number, line: row.line, share: row.share, ...checkRow(row) };
  }
  if (number === 0) throw refusals.badInput(`${name} has no rows.`);
}
