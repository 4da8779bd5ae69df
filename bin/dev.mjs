// npm run dev: Vite serves the pages and passes calls on to the server, which is started again when a source changes.
import { once } from 'node:events';
import { watch } from 'node:fs';
import { createServer as createListener } from 'node:net';
import path from 'node:path';
import { buildClient, isClientBuilt } from './client.mjs';
import { installIfMissing } from './install.mjs';
import { ROOT } from './process.mjs';
import { runServer } from './server.mjs';

/** Addresses that the server answers; every other one is a page. */
const SERVER_PATHS = [
  '/auth',
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/docs',
  '/sitemap',
  '/robots.txt',
  '/feeds',
  '/badges',
  '/.well-known',
];

await installIfMissing();
// The server does not start without built pages, although the browser gets its pages from Vite.
if (!isClientBuilt()) await buildClient();
const { createServer } = await import('vite');
const address = await serverAddress();
const vite = await createServer({
  configFile: path.join(ROOT, 'vite.config.ts'),
  server: { proxy: Object.fromEntries(SERVER_PATHS.map((prefix) => [prefix, address.url])) },
});
await vite.listen();
console.log(`Open ${vite.resolvedUrls?.local[0]} where pages change as you edit them.`);
console.log(`The server below, at ${address.url}, answers the calls; its own pages are those of the last build.`);

// Not `node --watch`: when killed with SIGKILL, it leaves the server running.
const watchers = ['src/contract', 'src/server'].map((folder) => watch(path.join(ROOT, folder), { recursive: true }));

for (;;) {
  const restart = new AbortController();
  const change = Promise.race(watchers.map((watcher) => once(watcher, 'change'))).then(() => restart.abort());
  const code = await runServer({ SAMPLE_DATA: 'on', ...process.env, PORT: address.port }, restart.signal);
  if (!restart.signal.aborted) {
    if (code === 0) process.exit();
    console.error(`The server ended with exit code ${code} and starts again on the next change.`);
  }
  await change;
}

/** Where the server will listen: a free port is picked here, because Vite must know it and each restart keep it. */
async function serverAddress() {
  const { PORT = '', HOST = '' } = process.env;
  const port = PORT.trim() === '0' ? await freePort() : PORT.trim() || '3000';
  const host = HOST.trim()
    .replace(/^(|0\.0\.0\.0)$/, '127.0.0.1')
    .replace(/^::$/, '::1');
  return { port, url: `http://${host.includes(':') ? `[${host}]` : host}:${port}` };
}

async function freePort() {
  const listener = createListener().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (listener.address());
  listener.close();
  await once(listener, 'close');
  return String(port);
}
