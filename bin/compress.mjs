import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress); // brotli uses its best level by default
const gzipAtBest = (/** @type {Buffer} */ bytes) => promisify(gzip)(bytes, { level: 9 });

const FORMS = [
  { extension: '.br', compress: brotli },
  { extension: '.gz', compress: gzipAtBest },
];

/** The length of the response header that names the encoding. Compression must save more than that. */
const HEADER_BYTES = 'Content-Encoding: gzip\r\n'.length;

/**
 * Writes FILE.br and FILE.gz beside each file of a built client, where they save bytes: once and slowly here, so that
 * the server never compresses an asset.
 */
export async function compressAssets(/** @type {string} */ folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  // index.html is never sent as it is: its head is filled in for each page.
  await Promise.all(files.filter((file) => path.basename(file) !== 'index.html').map(compressFile));
}

async function compressFile(/** @type {string} */ file) {
  const bytes = await readFile(file);
  for (const { extension, compress } of FORMS) {
    const compressed = await compress(bytes);
    if (compressed.length + HEADER_BYTES < bytes.length) await writeFile(`${file}${extension}`, compressed);
  }
}
