import { callAddress } from '../../src/contract/call.ts';
import { CALLS } from '../../src/contract/calls.ts';
import type { RenderedRead } from '../../src/contract/server-rendering.ts';

/** The addresses of the reads that the server rendered a document from, which the document carries. */
export function readsInDocument(markup: string): string[] {
  const [, json = '[]'] = /<script type="application\/json" id="reads">(.*?)<\/script>/s.exec(markup) ?? [];
  return (JSON.parse(json) as RenderedRead[]).map(({ key: [name, parts] }) => {
    const called = CALLS.find((one) => one.name === name);
    if (!called) throw new Error(`There is no call ${name}.`);
    return callAddress(called, parts);
  });
}
