import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';

const ROOT = path.join(import.meta.dirname, '../..');

/** Packages of more than 200 files each. Every process of the product loads nearly all of these files. */
const PACKAGES = ['kysely', 'openai', 'typebox'];

const HOOK = `
import { registerHooks } from 'node:module';
const bundled = new Set(${JSON.stringify(PACKAGES)});
registerHooks({
  resolve: (name, context, next) =>
    bundled.has(name)
      ? { url: new URL(name + '.mjs', import.meta.url).href, format: 'module', shortCircuit: true }
      : next(name, context),
});
`;

/**
 * Makes one file of each package: the suite starts hundreds of processes, and half of the processor time of a start
 * went into loading their 800 files.
 * @returns the module that a process loads first, so that it takes the files made here
 */
export async function bundlePackages(): Promise<string> {
  const { dependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const versions = PACKAGES.map((name) => dependencies[name]).join('-');
  const outDir = path.join(ROOT, 'node_modules/.cache/bundled', versions);
  const hook = path.join(outDir, 'hook.mjs');
  if (existsSync(hook)) return hook;
  const input = Object.fromEntries(PACKAGES.map((name) => [name, name]));
  await build({
    ...{ root: ROOT, configFile: false, logLevel: 'error', ssr: { noExternal: true } },
    build: { ssr: true, outDir, rolldownOptions: { input, output: { entryFileNames: '[name].mjs' } } },
  });
  // Written last: another run that finds it finds the packages too.
  writeFileSync(hook, HOOK);
  return hook;
}
