import { callAddress } from '../../src/contract/call.ts';
import { CALLS } from '../../src/contract/calls.ts';
import type { RenderedRead } from '../../src/contract/server-rendering.ts';

const READS = /<script type="application\/json" id="reads">(.*?)<\/script>/s;

/** The document as a reader sees it: without the answers that it carries for its script. */
export const withoutReads = (markup: string) => markup.replace(READS, '');

/** The addresses of the reads that the server rendered a document from, which the document carries. */
export function readsInDocument(markup: string): string[] {
  const [, json = '[]'] = READS.exec(markup) ?? [];
  return (JSON.parse(json) as RenderedRead[]).map(({ key: [name, parts] }) => {
    const called = CALLS.find((one) => one.name === name);
    if (!called) throw new Error(`There is no call ${name}.`);
    return callAddress(called, parts);
  });
}
