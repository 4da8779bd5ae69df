import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeFolder } from './places.ts';
import { ROOT } from './server.ts';

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, maxBuffer: 1024 ** 3 });

/** Why the tree of a commit cannot be written here; undefined when it can. */
export function cannotCheckOut(commit: string): string | undefined {
  const { status } = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT });
  return status === 0 ? undefined : `the commit ${commit}: a clone with its history`;
}

/** The tree of an earlier version, which runs on the packages and the built pages of this one. */
export interface EarlierVersion {
  readonly tree: string;
  /** Imports a module of it, such as `torture/population.ts`. */
  load<T>(file: string): Promise<T>;
  remove(): void;
}

/** Writes the tree of a commit into a temporary folder. */
export function checkOut(commit: string): EarlierVersion {
  const tree = path.join(makeFolder(), commit);
  mkdirSync(tree);
  execFileSync('tar', ['-x', '-C', tree], { input: git('archive', commit) });
  for (const shared of ['node_modules', 'dist']) symlinkSync(path.join(ROOT, shared), path.join(tree, shared));
  return {
    tree,
    load: (file) => import(pathToFileURL(path.join(tree, file)).href),
    remove: () => rmSync(path.dirname(tree), { recursive: true, force: true }),
  };
}
