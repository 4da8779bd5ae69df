import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Call } from '../../contract/call.ts';
import type { FrameModule } from '../../contract/frame.ts';
import type { AnswerCache } from '../http/answer-cache.ts';

/** Room for drawn pages; one takes 5 to 40 thousand characters. */
const KEPT_CHARACTERS = 4 * 1024 * 1024;

/** A public call that a page makes at once. */
export interface PageRead {
  readonly call: Call;
  readonly parts: { readonly params?: { readonly id: number }; readonly query?: { readonly limit: number } };
  readonly isPaged?: true;
}

export interface FrameOptions {
  /** What the build wrote. Without it, as under the API tests, documents hold no drawn page. */
  file: string;
  cache: AnswerCache;
  siteName: string;
  supportEmail: string;
}

/** Draws a page as a visitor first sees it; empty where that is not possible: the browser draws it then. */
export type DrawFrame = (address: string, reads: readonly PageRead[]) => Promise<string>;

/** The address of a read, as the browser asks for it. */
export function readAddress({ call, parts }: PageRead): string {
  const path = call.path.replace(':id', String(parts.params?.id));
  return parts.query ? `${path}?limit=${parts.query.limit}` : path;
}

async function loadRenderer(file: string) {
  // Built from this tree, by the same build as the pages.
  const { createFrameRenderer } = (await import(pathToFileURL(file).href)) as FrameModule;
  return createFrameRenderer();
}

/**
 * Makes the function that draws pages. A page is made of finished answers, and drawn once for the same ones: their
 * ETags name it, so nothing kept can be out of date.
 */
export function createFrames(
  server: FastifyInstance,
  { file, cache, siteName, supportEmail }: FrameOptions,
): DrawFrame {
  if (!existsSync(file)) return async () => '';
  let loading: ReturnType<typeof loadRenderer> | undefined;
  const kept = new LRUCache<string, string>({ maxSize: KEPT_CHARACTERS, sizeCalculation: (markup) => markup.length });

  async function findAnswer(address: string) {
    const ready = cache.find(address);
    if (ready) return ready;
    await server.inject(address);
    return cache.find(address);
  }

  return async (address, reads) => {
    const answers = await Promise.all(reads.map((read) => findAnswer(readAddress(read))));
    const etags = answers.map((answer) => answer?.plain.etag);
    // Answers that are not kept would have to be made, and drawn, for every document anew.
    if (etags.includes(undefined)) return '';
    const key = [address, ...etags].join(' ');
    const known = kept.get(key);
    if (known !== undefined) return known;
    // With the first document: a start need not wait for it, nor a process without visitors keep it.
    loading ??= loadRenderer(file);
    const render = await loading;
    const markup = await render({
      address,
      siteName,
      supportEmail,
      reads: reads.map(({ call, parts, isPaged = false }, index) => {
        return { key: [call.name, parts], isPaged, answer: JSON.parse(String(answers[index]?.plain.bytes)) };
      }),
    });
    kept.set(key, markup);
    return markup;
  };
}
