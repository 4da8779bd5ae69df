import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { RenderedRead, RendererModule } from '../../contract/server-rendering.ts';

interface RendererOptions {
  /** The pages built for the server. Without this file, as in the API tests, nothing is server-rendered. */
  file: string;
  siteName: string;
  supportEmail: string;
}

/** Renders a page as HTML from the answers to its reads; empty when the pages were not built for the server. */
export type RenderPage = (address: string, reads: readonly RenderedRead[]) => Promise<string>;

async function loadRenderer(file: string) {
  // Built from this tree, by the same build as the pages.
  const { createRenderer } = (await import(pathToFileURL(file).href)) as RendererModule;
  return createRenderer();
}

/** Opens the pages built for the server. */
export function openRenderer({ file, siteName, supportEmail }: RendererOptions): RenderPage {
  if (!existsSync(file)) return async () => '';
  let loading: ReturnType<typeof loadRenderer> | undefined;
  return async (address, reads) => {
    // Loaded for the first document: a start does not wait for it, and a process without visitors never holds it.
    loading ??= loadRenderer(file);
    const render = await loading;
    return render({ address, siteName, supportEmail, reads });
  };
}
