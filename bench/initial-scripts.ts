import { mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build, loadConfigFromFile } from 'vite';

const ROOT = path.dirname(import.meta.dirname);
const CONFIG = path.join(ROOT, 'vite.config.ts');
const CLIENT = path.join(ROOT, 'dist/client');
/** Inside the project, so that its packages are found. */
const CACHE_FOLDER = path.join(import.meta.dirname, '.data');

const EMPTY_PAGE = '<div id="root"></div><script type="module" src="/main.jsx"></script>';
const EMPTY_APP = `
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, Link } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import ${JSON.stringify(path.join(ROOT, 'src/client/styles/fonts.css'))};

function Component() {
  const { data } = useQuery({ queryKey: ['empty'], queryFn: async () => 'nothing' });
  return <Link to="/">{data}</Link>;
}

createRoot(document.getElementById('root')).render(
  <QueryClientProvider client={new QueryClient()}>
    <RouterProvider router={createBrowserRouter([{ path: '/', Component }])} />
  </QueryClientProvider>,
);
`;

const isNamed = (plugin: unknown, name: string) =>
  typeof plugin === 'object' && plugin !== null && 'name' in plugin && plugin.name === name;
const compressedSize = (file: string) => brotliCompressSync(readFileSync(file)).length;
const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);

/** Bytes of the scripts that the built shell names, in Brotli: what every page needs before it can show anything. */
export function measureInitialScripts(): number {
  const shell = readFileSync(path.join(CLIENT, 'index.html'), 'utf8');
  const names = new Set([...shell.matchAll(/\/(assets\/[^" ]+\.js)/g)].map(([, name = '']) => name));
  if (names.size === 0) throw new Error('The built shell names no script.');
  return sum([...names].map((name) => compressedSize(path.join(CLIENT, name))));
}

/** The same bytes for an app that shows nothing, built with the same libraries and the same configuration. */
export async function measureEmptyApp(): Promise<number> {
  mkdirSync(CACHE_FOLDER, { recursive: true });
  using folder = mkdtempDisposableSync(path.join(CACHE_FOLDER, 'empty-app-'));
  const root = folder.path;
  writeFileSync(path.join(root, 'index.html'), EMPTY_PAGE);
  writeFileSync(path.join(root, 'main.jsx'), EMPTY_APP);
  const outDir = path.join(root, 'built');
  const { config } = (await loadConfigFromFile({ command: 'build', mode: 'production' }, CONFIG)) ?? {};
  // All plugins but the one that names the scripts of our pages: this app has no pages.
  const plugins = config?.plugins?.flat().filter((plugin) => !isNamed(plugin, 'name-scripts'));
  const options = { ...config?.build, outDir };
  await build({ ...config, root, plugins, build: options, configFile: false, logLevel: 'warn' });
  const assets = readdirSync(path.join(outDir, 'assets')).filter((name) => name.endsWith('.js'));
  return sum(assets.map((name) => compressedSize(path.join(outDir, 'assets', name))));
}
