// npm run dev: Vite for the pages, and the server it passes calls on to, started again on every change of a source.
import { once } from 'node:events';
import { watch } from 'node:fs';
import path from 'node:path';
import { buildClient, isClientBuilt } from './client.mjs';
import { installIfMissing } from './install.mjs';
import { ROOT } from './process.mjs';
import { runServer } from './server.mjs';

await installIfMissing();
// The server does not start without pages; those of Vite are the ones to look at.
if (!isClientBuilt()) await buildClient();
const { createServer } = await import('vite');
const vite = await createServer({ configFile: path.join(ROOT, 'vite.config.ts') });
await vite.listen();
vite.printUrls();

// Not node --watch: killed hard, it leaves the server behind.
const watchers = ['src/contract', 'src/server'].map((folder) => watch(path.join(ROOT, folder), { recursive: true }));

for (;;) {
  const restart = new AbortController();
  const change = Promise.race(watchers.map((watcher) => once(watcher, 'change'))).then(() => restart.abort());
  const code = await runServer({ SAMPLE_DATA: 'on', ...process.env }, restart.signal);
  if (!restart.signal.aborted) {
    if (code === 0) process.exit();
    console.error(`The server ended with exit code ${code} and starts again on the next change.`);
  }
  await change;
}
