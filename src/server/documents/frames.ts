import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { FrameModule, FrameRead } from '../../contract/frame.ts';

interface FrameOptions {
  /** What the build wrote. Without it, as under the API tests, documents hold no drawn page. */
  file: string;
  siteName: string;
  supportEmail: string;
}

/** Draws a page as a visitor first sees it, out of what its reads answered; empty where nothing was built to draw it. */
export type DrawFrame = (address: string, reads: readonly FrameRead[]) => Promise<string>;

async function loadRenderer(file: string) {
  // Built from this tree, by the same build as the pages.
  const { createFrameRenderer } = (await import(pathToFileURL(file).href)) as FrameModule;
  return createFrameRenderer();
}

/** Makes the function that draws pages. */
export function createFrames({ file, siteName, supportEmail }: FrameOptions): DrawFrame {
  if (!existsSync(file)) return async () => '';
  let loading: ReturnType<typeof loadRenderer> | undefined;
  return async (address, reads) => {
    // With the first document: a start need not wait for it, nor a process without visitors keep it.
    loading ??= loadRenderer(file);
    const render = await loading;
    return render({ address, siteName, supportEmail, reads });
  };
}
