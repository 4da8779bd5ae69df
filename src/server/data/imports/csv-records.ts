import { createReadStream } from 'node:fs';
import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';

/** The maximum length of a record in characters: the longest possible school, with room for unknown columns. */
const RECORD_MAX = 64 * 1024;

/** A record of the file, or the reason why it cannot be read. */
type CsvRecord = { bytesRead: number } & ({ fields: string[] } | { reason: string });

interface Line {
  bytesRead: number;
  /** Undefined for a line that is longer than any record. */
  text: string | undefined;
}

/**
 * The lines of a UTF-8 file, chunk by chunk. Of a line that is longer than any record, only the beginning is kept in
 * memory.
 */
async function* readLines(path: string): AsyncGenerator<Line[]> {
  const stream = createReadStream(path);
  const decoder = new TextDecoder();
  let pending = '';
  let isTooLong = false;
  const lineOf = (text: string): Line => {
    const line = { bytesRead: stream.bytesRead, text: isTooLong ? undefined : text.replace(/\r$/, '') };
    isTooLong = false;
    return line;
  };
  for await (const chunk of stream) {
    const texts = (pending + decoder.decode(chunk, { stream: true })).split('\n');
    pending = texts.pop() ?? '';
    yield texts.map(lineOf);
    isTooLong ||= pending.length > RECORD_MAX;
    if (isTooLong) pending = '';
  }
  pending += decoder.decode();
  if (pending !== '' || isTooLong) yield [lineOf(pending)];
}

/** @returns a function that returns one line after another, and undefined at the end */
function createLineSource(path: string): () => Line | undefined | Promise<Line | undefined> {
  const chunks = readLines(path);
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
  // A promise only when it has to wait: with a promise for each line, blank lines cost 300 MB of garbage.
  return () => (position < lines.length ? lines[position++] : refill());
}

const countQuotes = (text: string) => text.split('"').length - 1;

function parseRecord(text: string): { fields: string[] } | { reason: string } {
  try {
    const [fields, ...others] = parse(text, { record_delimiter: '\n', trim: true }) as string[][];
    if (fields && others.length === 0) return { fields };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
  }
  return { reason: 'The quotes are out of place.' };
}

/**
 * Reads a CSV file record by record in constant memory. A record that cannot be read costs one line: reading starts
 * again at the next line, so that a forgotten quote does not swallow the rest of the file.
 */
export async function* readCsv(path: string): AsyncGenerator<CsvRecord> {
  const nextLine = createLineSource(path);
  /** Lines of a broken record that have to be read again, in reverse order. */
  const again: Line[] = [];
  let record: Line[] = [];
  let length = 0;
  let quotes = 0;
  for (;;) {
    const next = again.pop() ?? nextLine();
    const line = next instanceof Promise ? await next : next;
    if (line?.text === '' && record.length === 0) continue;
    if (line) record.push(line);
    const [first] = record;
    if (!first) return;
    const { bytesRead } = first;
    length += (line?.text?.length ?? 0) + 1;
    quotes += countQuotes(line?.text ?? '');
    const isWhole = quotes % 2 === 0;
    const isBroken = !line || line.text === undefined || length > RECORD_MAX;
    // A quoted field can contain the end of a line, so that the record continues on the next one.
    if (!isWhole && !isBroken) continue;
    const read = readWhole(record, isWhole);
    if ('reason' in read) for (const taken of record.slice(1).reverse()) again.push(taken);
    yield { bytesRead, ...read };
    record = [];
    length = 0;
    quotes = 0;
  }
}

function readWhole(record: readonly Line[], isWhole: boolean): { fields: string[] } | { reason: string } {
  const [first] = record;
  if (first?.text === undefined)
    return { reason: `The row is longer than ${RECORD_MAX.toLocaleString('en')} characters.` };
  if (!isWhole) return { reason: 'A quote is opened and never closed.' };
  return parseRecord(record.map((line) => line.text).join('\n'));
}
