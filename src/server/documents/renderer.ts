import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { ProposalMode } from '../../contract/proposals.ts';
import type { RenderedRead, RendererModule } from '../../contract/server-rendering.ts';

interface RendererOptions {
  /** The client built for the server. Without this file, as in the API tests, nothing is server-rendered. */
  file: string;
  siteName: string;
  supportEmail: string;
  proposals: ProposalMode;
}

/**
 * Renders a page as HTML from the answers to its reads. Returns an empty text if the client was not built for the
 * server.
 */
export type RenderPage = (address: string, reads: readonly RenderedRead[]) => Promise<string>;

async function loadRenderer(file: string) {
  // Safe: the same build makes this module and the pages.
  const { createRenderer } = (await import(pathToFileURL(file).href)) as RendererModule;
  return createRenderer();
}

/** Opens the client built for the server. */
export function openRenderer({ file, siteName, supportEmail, proposals }: RendererOptions): RenderPage {
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
