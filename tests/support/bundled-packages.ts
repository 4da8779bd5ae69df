import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';

const ROOT = path.join(import.meta.dirname, '../..');

/** Tests and `npm run statements` replace methods of the driver, and load it before the hook. The other is no JavaScript. */
const NOT_BUNDLED = ['pg', '@node-rs/argon2'];

const SUBPATHS = ['csv-parse/sync'];

/** Packages as one file each, and sources without a look at every folder that could be meant. */
const HOOK = `
import { registerHooks } from 'node:module';
import bundled from './bundled.json' with { type: 'json' };
registerHooks({
  resolve(name, context, next) {
    if (Object.hasOwn(bundled, name))
      return { url: new URL(bundled[name], import.meta.url).href, format: 'module', shortCircuit: true };
    if (name.startsWith('.') && name.endsWith('.ts'))
      return { url: new URL(name, context.parentURL).href, format: 'module-typescript', shortCircuit: true };
    return next(name, context);
  },
});
`;

const fileOf = (name: string) => `${name.replace('/', '-')}.mjs`;

/** A module with everything that a package exports: of one in CommonJS, a bundle would have the default export alone. */
async function exportsOf(name: string): Promise<string> {
  const names = Object.keys(await import(name)).filter((exported) => exported !== 'module.exports');
  return `export { ${names.join(', ')} } from '${name}';`;
}

/**
 * Makes one file of each package: the suite starts hundreds of processes, and half of the processor time of a start
 * went into finding and loading a thousand files.
 * @returns the module that a process loads first, so that it takes the files made here
 */
export async function bundlePackages(): Promise<string> {
  const read = (file: string) => readFileSync(file, 'utf8');
  const versions = read(path.join(ROOT, 'package-lock.json'));
  const made = createHash('sha256')
    .update(versions)
    .update(read(import.meta.filename))
    .digest('hex')
    .slice(0, 16);
  const outDir = path.join(ROOT, 'node_modules/.cache/bundled', made);
  const hook = path.join(outDir, 'hook.mjs');
  if (existsSync(hook)) return hook;
  const { dependencies } = JSON.parse(read(path.join(ROOT, 'package.json')));
  const names = [...Object.keys(dependencies), ...SUBPATHS].filter((name) => !NOT_BUNDLED.includes(name));
  const entries = path.join(outDir, 'entries');
  mkdirSync(entries, { recursive: true });
  for (const name of names) writeFileSync(path.join(entries, fileOf(name)), await exportsOf(name));
  await build({
    ...{ root: ROOT, configFile: false, logLevel: 'error', ssr: { noExternal: true } },
    build: {
      ...{ ssr: true, outDir, emptyOutDir: false },
      rolldownOptions: {
        input: names.map((name) => path.join(entries, fileOf(name))),
        output: { entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name].mjs' },
      },
    },
  });
  writeFileSync(
    path.join(outDir, 'bundled.json'),
    JSON.stringify(Object.fromEntries(names.map((name) => [name, fileOf(name)]))),
  );
  // Written last: another run that finds it finds the packages too.
  writeFileSync(hook, HOOK);
  return hook;
}
