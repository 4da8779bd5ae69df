import { readFile, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { Refusal, refusals } from '../refusals/refusals.ts';
import { readCsv } from './csv-records.ts';
import { schoolOfRow } from './import-row.ts';
import type { ImportedSchool } from './queries.ts';

/** JSON is read at once. */
const JSON_MAX_MB = 200;
const MB = 1024 * 1024;

const COLUMNS = ['schoolName', 'description', 'location'] as const;

/** One row of the file: the school it describes, or why it is none. */
export type ImportRow = {
  /** Counted from 1, the header left out. */
  number: number;
  /** How much of the file is read, 0 to 1. */
  share: number;
} & ({ school: ImportedSchool } | { reason: string });

type RawRow = { share: number } & ({ fields: unknown } | { reason: string });

interface SchoolFile {
  path: string;
  name: string;
  size: number;
}

/** What TextDecoder makes of bytes that are not UTF-8. */
const isGarbled = (text: string) => text.includes('\uFFFD');

const columnKey = (column: string) => column.toLowerCase().replaceAll(/[\s_-]/g, '');

/** Where each column stands. @throws for a header that lacks one */
function readHeader(name: string, header: string[]): number[] {
  if (isGarbled(header.join()) || header.join().includes('\0')) throw refusals.badInput(`${name} is not UTF-8 text.`);
  const keys = header.map(columnKey);
  const missing = COLUMNS.filter((column) => !keys.includes(columnKey(column)));
  if (missing.length > 0) {
    throw refusals.badInput(
      `${name} must begin with a line that names the columns ${COLUMNS.join(', ')}, with commas between; missing: ${missing.join(', ')}.`,
    );
  }
  return COLUMNS.map((column) => keys.indexOf(columnKey(column)));
}

function rowOf(columns: number[], width: number, fields: string[]): { fields: unknown } | { reason: string } {
  if (fields.length !== width)
    return { reason: `The row has not as many fields as the header: ${fields.length} instead of ${width}.` };
  if (isGarbled(fields.join())) return { reason: 'The row is not UTF-8 text.' };
  return { fields: Object.fromEntries(COLUMNS.map((column, index) => [column, fields[columns[index] as number]])) };
}

async function* readCsvRows({ path, name, size }: SchoolFile): AsyncGenerator<RawRow> {
  let columns: number[] | undefined;
  let width = 0;
  for await (const { bytesRead, ...record } of readCsv(path)) {
    const share = bytesRead / size;
    if (columns) {
      yield { share, ...('reason' in record ? record : rowOf(columns, width, record.fields)) };
    } else {
      const header = 'fields' in record ? record.fields : [];
      columns = readHeader(name, header);
      width = header.length;
    }
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

async function* readJsonRows({ path, name, size }: SchoolFile): AsyncGenerator<RawRow> {
  if (size > JSON_MAX_MB * MB) {
    throw refusals.badInput(
      `${name} is larger than ${JSON_MAX_MB} MB. Split it, or use CSV, which may be of any size.`,
    );
  }
  const rows = parseJson(name, await readFile(path));
  if (!Array.isArray(rows)) throw refusals.badInput(`${name} must be a list of schools.`);
  for (const [index, fields] of rows.entries()) yield { share: (index + 1) / rows.length, fields };
}

function checkRow(row: RawRow): { school: ImportedSchool } | { reason: string } {
  if ('reason' in row) return row;
  try {
    return { school: schoolOfRow(row.fields) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { reason: error.message };
  }
}

async function findFile(path: string): Promise<SchoolFile> {
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

const READERS: Record<string, (file: SchoolFile) => AsyncGenerator<RawRow>> = {
  '.csv': readCsvRows,
  '.json': readJsonRows,
};

/**
 * Reads the schools of a CSV or JSON file.
 * @throws a refusal for a file that cannot be read at all; a bad row is a row with a reason
 */
export async function* readSchoolFile(path: string): AsyncGenerator<ImportRow> {
  const file = await findFile(path);
  const read = READERS[extname(path).toLowerCase()];
  if (!read) throw refusals.badInput(`${file.name} must end in .csv or .json.`);
  let number = 0;
  for await (const row of read(file)) {
    number += 1;
    yield { number, share: row.share, ...checkRow(row) };
  }
  if (number === 0) throw refusals.badInput(`${file.name} has no rows.`);
}
