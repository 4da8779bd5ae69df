import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin, parseAst, type Rolldown, Visitor } from 'vite';
import { CATEGORIES } from './src/contract/categories.ts';
import { categoryPages, PAGES, type Page } from './src/contract/pages.ts';

/**
 * A style sheet with the hue of each category. The content security policy allows no style attributes: a script would
 * have to set them, and the browser to compute the styles of the whole page again.
 */
function categoryHues(): Plugin {
  const name = 'virtual:category-hues.css';
  const rules = CATEGORIES.map(({ kind, hue }) => `[data-category='${kind}'] { --hue: ${hue} }`);
  return {
    name: 'category-hues',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? rules.join('\n') : undefined),
  };
}

/** Preloads the Latin part of the text font: only the build knows its hashed name. The headings' one may come later. */
function preloadTextFont(): Plugin {
  return {
    name: 'preload-text-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const font = Object.keys(bundle).find((name) => /source-sans-3-latin-wght.*\.woff2$/.test(name));
        if (!font) throw new Error('The text font is not part of the build.');
        const attrs = { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: '' };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}

/** Characters of the recorder. */
const RECORDER_MAX = 920;

/** @throws when it has grown */
async function buildRecorder(): Promise<string> {
  const built = await build({
    root: 'src/client',
    configFile: false,
    logLevel: 'warn',
    build: { write: false, rolldownOptions: { input: 'src/client/recorder.ts', output: { format: 'iife' } } },
  });
  const [output] = [built].flat();
  const code = output && 'output' in output ? output.output[0].code.trim() : '';
  if (code === '' || code.length > RECORDER_MAX) throw new Error(`The recorder has ${code.length} characters.`);
  return code;
}

/**
 * Writes the recorder into the document, so that it is there before the first control, and before the style sheet, for
 * which a script behind it would wait.
 */
function inlineRecorder(): Plugin {
  return {
    name: 'inline-recorder',
    transformIndexHtml: {
      order: 'post',
      async handler(html) {
        const code = await buildRecorder();
        return html.replace('<!--/head-->', (mark) => `${mark}\n    <script>${code}</script>`);
      },
    },
  };
}

type Bundle = Rolldown.OutputBundle;

/** The files of the chunk that holds a module, and of all chunks that it imports before it runs. */
function filesOf(bundle: Bundle, module: string): ReadonlySet<string> {
  const chunks = Object.values(bundle).filter((item) => item.type === 'chunk');
  const files = new Set<string>();
  const add = (chunk: (typeof chunks)[number] | undefined) => {
    if (!chunk || files.has(chunk.fileName)) return;
    files.add(chunk.fileName);
    for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name));
  };
  add(chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/src/client/${module}`))));
  if (files.size === 0) throw new Error(`The module ${module} is in no chunk.`);
  return files;
}

/** Characters of code that may run before the first painting, some 500 of them for each row of the registry. */
const START_MAX = 9_000 + 500 * CATEGORIES.length;

/** @throws when start.ts imports code that it is to load later, such as through a module in the same file. */
function requireSmallStart(bundle: Bundle): void {
  const code = [...filesOf(bundle, 'start.ts')]
    .map((file) => bundle[file])
    .map((item) => (item?.type === 'chunk' ? item.code : ''));
  const length = code.join('').length;
  if (length > START_MAX) throw new Error(`${length} characters of code would run before the first painting.`);
}

const shellFiles = (bundle: Bundle) => new Set([...filesOf(bundle, 'start.ts'), ...filesOf(bundle, 'main.tsx')]);

/** The addresses of the pages with this name in the records of pages. */
function pathsOf(name: string): string[] {
  const records: Readonly<Record<string, Page>>[] = [PAGES, ...CATEGORIES.map(categoryPages)];
  return records.flatMap((pages) => pages[name]?.path ?? []);
}

/**
 * Lists all scripts, so that start.ts requests them at once: else each would be requested only by the one before it.
 * The shell lists those of every page; `page-scripts.json`, for the server, lists what each page needs in addition.
 * start.ts is async: after a press on a mail link, which cancels the parsing, Chromium runs no deferred script.
 */
function nameScripts(): Plugin {
  const modules = new Map<string, string>();
  return {
    name: 'name-scripts',
    apply: 'build',
    transform(code, id) {
      if (!id.endsWith('/page-modules.ts')) return;
      for (const [, name = '', file = ''] of code.matchAll(/(\w+): \(\) => import\(['"]\.\/(.+?)['"]\)/g)) {
        modules.set(name, file);
      }
    },
    generateBundle(_options, bundle) {
      requireSmallStart(bundle);
      requireModules(bundle);
      const ofShell = shellFiles(bundle);
      const pairs = [...modules].flatMap(([name, file]) => {
        const own = [...filesOf(bundle, file)].filter((one) => !ofShell.has(one)).map((one) => `/${one}`);
        return pathsOf(name).map((path) => [path, own]);
      });
      const source = JSON.stringify(Object.fromEntries(pairs));
      this.emitFile({ type: 'asset', fileName: 'page-scripts.json', source });
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const unnamed = [...shellFiles(bundle)].filter((file) => !html.includes(`/${file}"`)).map((file) => `/${file}`);
        return html
          .replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
          .replace('<script type="module"', `$& async data-scripts="${unnamed.join(' ')}"`);
      },
    },
  };
}

/**
 * Lets Chromium compile the code of every page in another thread while it arrives. Else the main thread compiles each
 * function when it is first called, for a third of the time from the last script to the hydrated page. Other browsers
 * take it for a comment.
 */
function compileOnArrival(): Plugin {
  return {
    name: 'compile-on-arrival',
    apply: 'build',
    generateBundle: {
      // The comment has to be the first line, and Vite adds lines too.
      order: 'post',
      handler(_options, bundle) {
        for (const item of Object.values(bundle)) {
          if (item.type === 'chunk' && (item.name === 'main' || item.name === 'shared'))
            item.code = `//# allFunctionsCalledOnLoad\n${item.code}`;
        }
      },
    },
  };
}

/** What the server alone needs of the description of a call. A page would find the defaults of `defineCall` instead. */
const FOR_SERVER = ['summary', 'access', 'status', 'refuses', 'answer'];

/**
 * Leaves this out of what browsers load. With the schemas that nothing uses any more, which are marked as free of side
 * effects, it was 2.7 of the 128 KB of every page.
 */
function describeCallsBriefly(): Plugin {
  return {
    name: 'describe-calls-briefly',
    apply: 'build',
    transform: {
      filter: { id: /\/src\/contract\// },
      handler(code) {
        const unneeded: { start: number; end: number }[] = [];
        new Visitor({
          CallExpression({ callee, arguments: [definition] }) {
            if (callee.type !== 'Identifier' || callee.name !== 'defineCall') return;
            if (definition?.type !== 'ObjectExpression') return;
            for (const property of definition.properties) {
              if (property.type !== 'Property' || property.key.type !== 'Identifier') continue;
              if (FOR_SERVER.includes(property.key.name)) unneeded.push(property);
            }
          },
        }).visit(parseAst(code));
        // From the end, so that the positions before stay true.
        return unneeded.reduceRight(
          (rest, { start, end }) => rest.slice(0, start) + rest.slice(end).replace(/^,/, ''),
          code,
        );
      },
    },
  };
}

/** What start.ts, which runs first, shares with other modules. Its own chunk keeps start.ts from loading theirs too. */
const LOADING = ['preload-helper', 'accounts/pending-password', 'contract/pages', 'contract/categories'];

/** What long lists, reviews, pages for admins, searches, forms and dialogs share: all other pages start without it. */
const LATER = [
  'client/pages/reviews/',
  'contract/proposals',
  'contract/deletions',
  'contract/user-state',
  'shared/accounts/password-fields',
  'shared/reviews/reading',
  'shared/reviews/review-fields',
  'shared/reviews/summary-after-post',
  'shared/proposals/',
  '@tanstack/react-virtual',
  '@tanstack/virtual-core',
  'pages/accounts/account-card',
  'pages/admin/',
  'shared/admin/',
  'shared/moderation/',
  'feedback/dialog',
  'form/fields',
  'form/option-list',
  'form/reason-choice',
  'list/paged-list',
  'contract/users',
  'shared/reviews/drafts',
  'client/begun.ts',
  'client/draft.ts',
  'client/form.ts',
  'client/history-state.ts',
  'school/light',
  'school/school-search',
  'school/suggestions',
];

const isOneOf = (parts: readonly string[], id: string) => parts.some((part) => id.includes(part));

const GROUPS = [
  { name: 'loading', test: (id: string) => isOneOf(LOADING, id), priority: 1 },
  { name: 'shared', test: (id: string) => !isOneOf(LATER, id), minShareCount: 3 },
];

/** @throws when a part of a path above matches no module, such as one that was moved */
function requireModules(bundle: Bundle): void {
  const ids = Object.values(bundle).flatMap((item) => (item.type === 'chunk' ? item.moduleIds : []));
  const gone = [...LOADING, ...LATER].filter((part) => !ids.some((id) => id.includes(part)));
  if (gone.length > 0) throw new Error(`No module of the client has ${gone.join(' or ')} in its path.`);
}

// The second build, with --ssr, server-renders the pages: one file with all its packages, which production does not
// install.
export default defineConfig(({ isSsrBuild = false }) => ({
  root: 'src/client',
  plugins: [
    react(),
    tailwindcss(),
    categoryHues(),
    ...(isSsrBuild
      ? []
      : [describeCallsBriefly(), preloadTextFont(), inlineRecorder(), nameScripts(), compileOnArrival()]),
  ],
  ssr: { noExternal: true },
  ...(isSsrBuild && { define: { 'process.env.NODE_ENV': '"production"' } }),
  resolve: { alias: { typebox: fileURLToPath(new URL('src/client/schemas.ts', import.meta.url)) } },
  build: {
    outDir: isSsrBuild ? '../../dist/renderer' : '../../dist/client',
    emptyOutDir: true,
    copyPublicDir: !isSsrBuild,
    sourcemap: false,
    // The content security policy has no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // What several pages share comes with the first of them, instead of in a dozen files of a few hundred bytes.
      output: { ...(!isSsrBuild && { codeSplitting: { groups: GROUPS } }) },
      // A missing import fails the build, such as a part of TypeBox that schemas.ts lacks, and not only the page.
      onLog(level, log, handle) {
        if (log.code === 'IMPORT_IS_UNDEFINED') throw new Error(log.message);
        handle(level, log);
      },
    },
    // The first versions with light-dark(); a lower target would rewrite it into something larger.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  },
}));
