import { readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

const ROOT = path.dirname(import.meta.dirname);

/** Packages that hold the Node binary, and only that. */
const NODE_BINARIES = /^node_modules\/node-(bin-)?(linux|darwin|win)-/;

async function sizeOf(folder: string): Promise<number> {
  const items = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = items.map(async (item) => {
    const full = path.join(folder, item.name);
    // A package inside a package is an entry of the lock file, and counted there.
    if (item.isDirectory()) return item.name === 'node_modules' ? 0 : sizeOf(full);
    return item.isFile() ? (await stat(full)).size : 0;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Megabytes of the packages that production needs, the Node binary aside. */
export async function measureInstalled(): Promise<number> {
  const { packages }: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'),
  );
  const folders = Object.entries(packages)
    .filter(([folder, { dev }]) => folder !== '' && !dev && !NODE_BINARIES.test(folder))
    .map(([folder]) => path.join(ROOT, folder));
  const sizes = await Promise.all(folders.map(sizeOf));
  return sizes.reduce((sum, size) => sum + size, 0) / 1024 ** 2;
}
