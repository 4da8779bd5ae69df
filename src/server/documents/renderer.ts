import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RenderedRead, RendererModule } from '../../contract/server-rendering.ts';
import type { DocumentOptions } from './document-options.ts';

/** Relative to the folder of the built pages. Without this file, as in the API tests, nothing is server-rendered. */
const RENDERER_FILE = '../renderer/entry-server.js';

/**
 * Renders a page as HTML from the answers to its reads. Returns an empty text if the client was not built for the
 * server.
 */
type RenderPage = (address: string, reads: readonly RenderedRead[]) => Promise<string>;

async function loadRenderer(file: string) {
  // Safe: the same build makes this module and the pages.
  const { createRenderer } = (await import(pathToFileURL(file).href)) as RendererModule;
  return createRenderer();
}

/** Opens the client built for the server. */
export function openRenderer({ clientDir, siteName, supportEmail, proposals }: DocumentOptions): RenderPage {
  const file = join(clientDir, RENDERER_FILE);
  if (!existsSync(file)) return async () => '';
  let loading: ReturnType<typeof loadRenderer> | undefined;
  return async (address, reads) => {
    // Loaded with the first document: the server starts without waiting for it, and a process without visitors saves
    // the memory.
    loading ??= loadRenderer(file);
    const render = await loading;
    return render({ address, siteName, supportEmail, proposals, reads });
  };
}
