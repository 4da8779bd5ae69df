import { createReadStream } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { encodingOf } from '../../../contract/imports.ts';

/** The maximum length of a record in characters: the longest possible school, with room for unknown columns. */
const RECORD_MAX = 64 * 1024;

/** A record, and the line of the file on which it begins; or the reason why it cannot be read. */
type CsvRecord = { bytesRead: number; line: number } & ({ fields: string[] } | { reason: string });

interface Line {
  bytesRead: number;
  /** Counted from 1. */
  number: number;
  /** Undefined for a line that is longer than any record. */
  text: string | undefined;
}

/** A text in chunks. */
interface CsvSource {
  readonly chunks: AsyncIterable<string>;
  /** How much has been read: bytes of a file, but characters of a text in memory. */
  bytesRead(): number;
}

/** Reads a file in UTF-8, or in UTF-16 if it begins with its byte order mark, as spreadsheets write it. */
function fileSource(path: string): CsvSource {
  const stream = createReadStream(path);
  async function* decode() {
    let decoder: TextDecoder | undefined;
    for await (const chunk of stream) {
      decoder ??= new TextDecoder(encodingOf(chunk));
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder?.decode() ?? '';
  }
  return { chunks: decode(), bytesRead: () => stream.bytesRead };
}

/** How much of a text is read before yielding to the event loop. */
const CHUNK_LENGTH = 32 * 1024;

function textSource(text: string): CsvSource {
  let position = 0;
  async function* readChunks() {
    for (; position < text.length; position += CHUNK_LENGTH) {
      yield text.slice(position, position + CHUNK_LENGTH);
      await setImmediate();
    }
  }
  return { chunks: readChunks(), bytesRead: () => position };
}

/** Gnumeric writes a byte order mark every thousand characters, even within a name, where it is invisible. */
const removeByteOrderMarks = (text: string) => text.replaceAll('\uFEFF', '');

/**
 * The lines of a text, chunk by chunk. Of a line that is longer than any record, only the beginning is kept in memory.
 */
async function* readLines(source: CsvSource): AsyncGenerator<Line[]> {
  let pending = '';
  let isTooLong = false;
  let number = 0;
  const lineOf = (text: string): Line => {
    number += 1;
    const line = { bytesRead: source.bytesRead(), number, text: isTooLong ? undefined : text.replace(/\r$/, '') };
    isTooLong = false;
    return line;
  };
  for await (const chunk of source.chunks) {
    const texts = (pending + removeByteOrderMarks(chunk)).split('\n');
    pending = texts.pop() ?? '';
    yield texts.map(lineOf);
    isTooLong ||= pending.length > RECORD_MAX;
    if (isTooLong) pending = '';
  }
  if (pending !== '' || isTooLong) yield [lineOf(pending)];
}

/** @returns a function that returns one line after another, and undefined at the end */
function createLineSource(source: CsvSource): () => Line | undefined | Promise<Line | undefined> {
  const chunks = readLines(source);
  let lines: Line[] = [];
  let position = 0;
  const refill = async () => {
    do {
      const { done, value } = await chunks.next();
      if (done) return undefined;
      lines = value;
    } while (lines.length === 0);
    position = 1;
    return lines[0];
  };
  // This returns a promise only when it has to wait: with a promise for each line, blank lines cost 300 MB of garbage.
  return () => (position < lines.length ? lines[position++] : refill());
}

const countQuotes = (text: string) => text.split('"').length - 1;

function parseRecord(text: string, delimiter: string): { fields: string[] } | { reason: string } {
  try {
    const [fields, ...others] = parse(text, { record_delimiter: '\n', delimiter, trim: true }) as string[][];
    if (fields && others.length === 0) return { fields };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
  }
  return { reason: 'The quotes are out of place.' };
}

const DELIMITERS = [',', ';', '\t'];

/** The character between the fields: a spreadsheet writes the one that is usual in its country. */
function delimiterOf(header: string): string {
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** A first line that names the delimiter: some spreadsheets write it, and none shows it. */
const SEPARATOR_LINE = /^"?sep=(.)"?$/i;

/** Reads a CSV file in UTF-8 or UTF-16. */
export const readCsv = (path: string) => readRecords(fileSource(path));

/** Reads CSV that is in memory. */
export const readCsvText = (text: string) => readRecords(textSource(text));

/**
 * Reads a CSV file record by record in constant memory. A record that cannot be read costs one line: reading starts
 * again at the next line, so that a forgotten quote does not swallow the rest of the file.
 */
async function* readRecords(source: CsvSource): AsyncGenerator<CsvRecord> {
  const nextLine = createLineSource(source);
  let delimiter: string | undefined;
  /** Lines of a broken record that have to be read again, in reverse order. */
  const linesToReread: Line[] = [];
  let record: Line[] = [];
  let length = 0;
  let quotes = 0;
  for (;;) {
    const next = linesToReread.pop() ?? nextLine();
    const line = next instanceof Promise ? await next : next;
    if (line?.text === '' && record.length === 0) continue;
    if (line?.number === 1) {
      const [, named] = SEPARATOR_LINE.exec(line.text ?? '') ?? [];
      if (named !== undefined) {
        delimiter = named;
        continue;
      }
    }
    delimiter ??= delimiterOf(line?.text ?? '');
    if (line) record.push(line);
    const [first] = record;
    if (!first) return;
    const { bytesRead, number } = first;
    length += (line?.text?.length ?? 0) + 1;
    quotes += countQuotes(line?.text ?? '');
    const isWhole = quotes % 2 === 0;
    const isBroken = !line || line.text === undefined || length > RECORD_MAX;
    // A quoted field can contain the end of a line, so that the record continues on the next one.
    if (!isWhole && !isBroken) continue;
    const read = readRecordLines(record, isWhole, delimiter);
    if ('reason' in read) for (const taken of record.slice(1).reverse()) linesToReread.push(taken);
    yield { bytesRead, line: number, ...read };
    record = [];
    length = 0;
    quotes = 0;
  }
}

function readRecordLines(
  record: readonly Line[],
  isWhole: boolean,
  delimiter: string,
): { fields: string[] } | { reason: string } {
  const [first] = record;
  if (first?.text === undefined)
    return { reason: `The row is longer than ${RECORD_MAX.toLocaleString('en')} characters.` };
  if (!isWhole) return { reason: 'A quote is opened and never closed.' };
  return parseRecord(record.map((line) => line.text).join('\n'), delimiter);
}
