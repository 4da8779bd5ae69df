import { createReadStream } from 'node:fs';
import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';

/** Characters of one record: the longest school with room for columns that nobody asked for. */
const RECORD_MAX = 64 * 1024;

/** A record as the file has it, or why it cannot be read. */
type CsvRecord = { bytesRead: number } & ({ fields: string[] } | { reason: string });

interface Line {
  bytesRead: number;
  /** Undefined: longer than any record. */
  text: string | undefined;
}

/** The lines of a UTF-8 file, chunk by chunk; of a line longer than any record only its start is ever held. */
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

/** @returns a function that answers one line after another, at the end undefined */
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
  // A promise only where there is something to wait for: one a line made blank lines cost 300 MB of garbage.
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
 * Reads a CSV file record by record in constant memory. A record that cannot be read costs one line: the next line is
 * tried as the start of a record again, so that a quote somebody forgot does not swallow what follows.
 */
export async function* readCsv(path: string): AsyncGenerator<CsvRecord> {
  const nextLine = createLineSource(path);
  /** Lines that a broken record took with it, to be tried again; the next one last. */
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
    // Inside a quoted field a line may end and the record go on.
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
