// What has to be there before anything of this tree can run. Everything in bin/ runs on any Node from 20.19 on and
// before a single package is installed, so it imports nothing but Node's own modules.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, run } from './process.mjs';

const MODULES = path.join(ROOT, 'node_modules');

/** Installs the locked packages unless they are all there; ends the process when that fails. */
export async function installIfMissing() {
  if (isInstalled()) return;
  console.log('Installing dependencies …');
  // npm has to delete node_modules first, and Windows refuses that while the Node in there is the one running.
  const command = process.platform === 'win32' && existsSync(MODULES) ? 'install' : 'ci';
  const args = [command, '--include=dev', '--include=optional', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const code = npm
    ? await run(process.env.npm_node_execpath ?? process.execPath, [npm, ...args])
    : await run('npm', args, { shell: process.platform === 'win32' });
  if (code !== 0) fail('npm could not install the dependencies; its messages are above.', code);
}

/**
 * The Node this tree is made for: the locked package for this platform, or the running Node if the package is missing
 * and that Node is new enough. Ends the process when there is neither.
 */
export function pinnedNode() {
  if (!existsSync(MODULES)) return fail('The dependencies are not installed: run "npm ci" first.');
  const { name, major } = platformPackage();
  const binary = name && path.join(MODULES, name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (binary && existsSync(binary)) return binary;
  if (Number.parseInt(process.versions.node, 10) >= major) return process.execPath;
  return fail(`Node.js ${major} or newer is needed, this is ${process.versions.node}: "npm ci" installs it.`);
}

/** Prints one line and ends the process. @returns {never} */
export function fail(/** @type {string} */ sentence, code = 1) {
  console.error(sentence);
  process.exit(code);
}

function isInstalled() {
  const installed = packagesOf('node_modules/.package-lock.json'); // npm writes it last
  // Compares versions, not times, which change when the tree is copied. Optional packages may be missing: some are for
  // other platforms.
  const isComplete = Object.entries(packagesOf('package-lock.json')).every(
    ([key, { version, optional }]) => key === '' || optional || installed[key]?.version === version,
  );
  const { name } = platformPackage();
  return isComplete && (!name || existsSync(path.join(MODULES, name)));
}

/** @returns {Record<string, { version: string, optional?: boolean }>} */
function packagesOf(/** @type {string} */ lockFile) {
  const file = path.join(ROOT, lockFile);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {};
}

function platformPackage() {
  /** @type {{ optionalDependencies: Record<string, string> }} */
  const { optionalDependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = Object.keys(optionalDependencies).find((key) => key.endsWith(`-${platform}-${process.arch}`));
  return { name, major: Number.parseInt(Object.values(optionalDependencies)[0] ?? '', 10) };
}
