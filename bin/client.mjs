import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compressAssets } from './compress.mjs';
import { pinnedNode } from './install.mjs';
import { ROOT, run } from './process.mjs';

/** What the pages are built from, and what server-renders them. */
export const SOURCES = [
  'src/client',
  'src/contract',
  'bin/compress.mjs',
  'vite.config.ts',
  'tsconfig.json',
  'package-lock.json',
];
const OUTPUT = path.join(ROOT, 'dist/client');
const STAMP = path.join(ROOT, 'dist/client.stamp');

export function isClientBuilt() {
  return existsSync(path.join(OUTPUT, 'index.html'));
}

/** Builds dist/client when a source of it has changed since; answers the builder's exit code. */
export async function buildClientIfStale() {
  if (isClientBuilt() && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint()) return 0;
  console.log('Building the pages …');
  return buildClient();
}

/**
 * Builds dist/client; answers the builder's exit code.
 * @param {((chunk: Buffer) => void) | undefined} output takes what the builder prints
 */
export async function buildClient(output = undefined) {
  // Without the stamp an aborted build counts as stale.
  rmSync(STAMP, { force: true });
  const before = fingerprint();
  const vite = path.join(ROOT, 'node_modules/vite/bin/vite.js');
  for (const part of [[], ['--ssr', 'entry-server.tsx']]) {
    const code = await run(pinnedNode(), [vite, 'build', '--logLevel=warn', ...part], { output });
    if (code !== 0) return code;
  }
  await compressAssets(OUTPUT);
  writeFileSync(STAMP, before);
  return 0;
}

/** A hash of the contents, not of the times, which change with every checkout or copy. */
function fingerprint() {
  const hash = createHash('sha1');
  for (const file of SOURCES.flatMap(filesUnder)) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(ROOT, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesUnder(/** @type {string} */ source) {
  if (path.extname(source)) return [source];
  return readdirSync(path.join(ROOT, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))
    .sort();
}
