import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { CATEGORIES } from './src/contract/categories.ts';
import { categoryPages, PAGES, type Page } from './src/contract/pages.ts';

/** Preloads the text font, whose hashed name only the build knows; the headings' font may come later. */
function preloadTextFont(): Plugin {
  return {
    name: 'preload-text-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const font = Object.keys(bundle).find((name) => /source-sans.*\.woff2$/.test(name));
        if (!font) throw new Error('The text font is not part of the build.');
        const attrs = { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: '' };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}

/** The addresses of the pages in a record of page modules, by the name each has there. */
function pathsByName(): ReadonlyMap<string, readonly string[]> {
  const pairs = [PAGES, ...CATEGORIES.map(categoryPages)].flatMap((pages) => Object.entries<Page>(pages));
  return new Map(pairs.map(([name]) => [name, pairs.filter(([other]) => other === name).map(([, page]) => page.path)]));
}

/**
 * Writes `page-scripts.json`: for each page's address the scripts it needs beyond those of the shell. The server names
 * them in the document, so that they are not asked for only after the shell's have run.
 */
function listPageScripts(): Plugin {
  const modules = new Map<string, string>();
  return {
    name: 'list-page-scripts',
    apply: 'build',
    transform(code, id) {
      if (!id.endsWith('/page-modules.ts')) return;
      for (const [, name = '', file = ''] of code.matchAll(/(\w+): \(\) => import\(['"]\.\/(.+?)['"]\)/g)) {
        modules.set(name, file);
      }
    },
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((item) => item.type === 'chunk');
      const needed = (name: string, seen = new Set<string>()): Set<string> => {
        if (seen.has(name)) return seen;
        seen.add(name);
        for (const other of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) needed(other, seen);
        return seen;
      };
      const entry = chunks.find(({ isEntry }) => isEntry);
      const ofShell = needed(entry?.fileName ?? '');
      const scripts = [...modules].flatMap(([name, file]) => {
        const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${file}`));
        if (!chunk) throw new Error(`The page module ${file} has no chunk of its own.`);
        const own = [...needed(chunk.fileName)].filter((one) => !ofShell.has(one)).map((one) => `/${one}`);
        return (pathsByName().get(name) ?? []).map((path) => [path, own]);
      });
      this.emitFile({
        type: 'asset',
        fileName: 'page-scripts.json',
        source: JSON.stringify(Object.fromEntries(scripts)),
      });
    },
  };
}

export default defineConfig({
  root: 'src/client',
  plugins: [react(), tailwindcss(), preloadTextFont(), listPageScripts()],
  resolve: { alias: { typebox: fileURLToPath(new URL('src/client/no-schemas.ts', import.meta.url)) } },
  build: {
    outDir: '../../dist/client',
    emptyOutDir: true,
    sourcemap: false,
    // The content security policy has no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Such as a part of TypeBox that no-schemas.ts lacks: it would only be missed when the page runs.
      onLog(level, log, handle) {
        if (log.code === 'IMPORT_IS_UNDEFINED') throw new Error(log.message);
        handle(level, log);
      },
    },
    // The first versions with light-dark(); a lower target would rewrite it into something larger.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  },
});
