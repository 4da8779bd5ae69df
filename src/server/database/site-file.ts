import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { UnusableDatabase } from './failures.ts';
import type { DataTable, Row } from './table-rows.ts';

const FORMAT = 'school-reviews export';
const VERSION = 1;

/** More than a line of an export can have: 500 rows, with texts of 5,000 characters at most. */
const LINE_MAX_BYTES = 64 * 1024 * 1024;

/** The first line of an export. */
export interface SiteHeader {
  readonly format: string;
  readonly version: number;
  /** The last migration of the database: the columns of the rows are those of that version. */
  readonly schema: string;
  /** Tells whether another site has the TOKEN_SECRET that keys the reserved names. Null: there are none. */
  readonly secret: string | null;
  readonly exportedAt: string;
  /** The names of the settings that the new site needs too. */
  readonly settings: readonly string[];
}

/** One of the lines between the first and the last. */
export type SiteLine =
  | { readonly table: DataTable; readonly rows: readonly Row[] }
  /** The highest id that each table has ever assigned. */
  | { readonly sequences: Readonly<Record<string, number>> };

/** A first line for a database of this version. */
export const headerOf = (database: Pick<SiteHeader, 'schema' | 'secret' | 'exportedAt'>): SiteHeader => ({
  format: FORMAT,
  version: VERSION,
  ...database,
  settings: ['TOKEN_SECRET', 'PUBLIC_URL', 'SITE_NAME', 'SUPPORT_EMAIL', 'SMTP_URL', 'MAIL_FROM', 'PROPOSALS'],
});

/** Compresses lines of JSON into a new file that only its owner may read. Memory is bounded by one line. */
export async function writeLines(path: string, lines: AsyncIterable<string>): Promise<void> {
  await pipeline(lines, createGzip({ level: 6 }), createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
}

/** The lines of an export: the header, the rows, and a hash that proves that the file is complete. */
export async function* sealLines(header: SiteHeader, lines: AsyncIterable<SiteLine>): AsyncGenerator<string> {
  const hash = createHash('sha256');
  const seal = (value: unknown) => {
    const line = `${JSON.stringify(value)}\n`;
    hash.update(line);
    return line;
  };
  yield seal(header);
  for await (const line of lines) yield seal(line);
  yield `${JSON.stringify({ sha256: hash.digest('hex') })}\n`;
}

const damaged = (path: string) =>
  new UnusableDatabase(`${path} is cut off or damaged, or is no export of this product. Nothing was changed.`);

async function* splitLines(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let length = 0;
  const unzipped = createGunzip();
  createReadStream(path)
    .on('error', (error) => unzipped.destroy(error))
    .pipe(unzipped);
  for await (const chunk of unzipped as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, end + 1)]);
      rest = [];
      length = 0;
      start = end + 1;
    }
    rest.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > LINE_MAX_BYTES) throw damaged(path);
  }
  if (length > 0) throw damaged(path);
}

/**
 * Reads an export line by line.
 * @returns its first line, and the others; these throw at the end if the file is not as it was written
 * @throws {UnusableDatabase} when the file is no export
 */
export async function readSite(path: string): Promise<{ header: SiteHeader; lines: AsyncGenerator<SiteLine> }> {
  const hash = createHash('sha256');
  const lines = splitLines(path);
  const parse = async (): Promise<[Buffer, object] | undefined> => {
    try {
      const { value, done } = await lines.next();
      if (done) return undefined;
      const line: unknown = JSON.parse(value.toString());
      if (typeof line !== 'object' || line === null) throw damaged(path);
      return [value, line];
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      throw error instanceof SyntaxError || code.startsWith('Z_') || code === 'ERR_BUFFER_OUT_OF_BOUNDS'
        ? damaged(path)
        : error;
    }
  };
  const first = await parse();
  const header = first?.[1] as SiteHeader | undefined;
  if (!first || header?.format !== FORMAT) throw damaged(path);
  if (header.version !== VERSION) {
    throw new UnusableDatabase(
      `${path} has version ${header.version} of the format; this version of the product reads ${VERSION}.`,
    );
  }
  hash.update(first[0]);
  return { header, lines: checkedLines(path, hash, parse) };
}

async function* checkedLines(
  path: string,
  hash: Hash,
  parse: () => Promise<[Buffer, object] | undefined>,
): AsyncGenerator<SiteLine> {
  for (;;) {
    const next = await parse();
    if (!next) throw damaged(path);
    const [bytes, line] = next;
    if ('sha256' in line) {
      if (line.sha256 !== hash.digest('hex') || (await parse()) !== undefined) throw damaged(path);
      return;
    }
    hash.update(bytes);
    // Safe: nothing is committed before the hash at the end has proved that the file is one of the product.
    yield line as SiteLine;
  }
}
