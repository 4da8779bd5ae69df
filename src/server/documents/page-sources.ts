import { type AnswerOf, callKey, readNextQuery } from '../../contract/call.ts';
import { type PageAddress, readsOf } from '../../contract/page-reads.ts';
import type { Page } from '../../contract/pages.ts';
import type { RenderedRead } from '../../contract/server-rendering.ts';
import type { Tag } from '../database/change-tags.ts';
import { answerOf, type CachedResponse } from '../http/cache/cached-response.ts';
import type { PublicCall, PublicReads, ReadParts } from '../http/serve/public-reads.ts';

/** The data of a document: the answers to the reads that its page declares. */
export interface PageSources {
  /** The answer to a declared read. @throws when the page declares no read of this call */
  answer<C extends PublicCall>(call: C): AnswerOf<C>;
  readonly reads: readonly RenderedRead[];
  /** The tags that invalidate the document. */
  readonly tags: readonly Tag[];
}

function linkOf(response: CachedResponse | undefined): string | undefined {
  const at = response?.own.indexOf('Link') ?? -1;
  return at < 0 ? undefined : response?.own[at + 1];
}

/** Makes all reads that a page declares. @throws the refusal of a call */
export async function readPageSources(publicReads: PublicReads, page: Page, at: PageAddress): Promise<PageSources> {
  const declared = readsOf(page, at);
  const responses = await Promise.all(declared.map(({ call, parts }) => publicReads.find(call, parts as ReadParts)));
  const answers = new Map<PublicCall, unknown>(
    responses.map((response, index) => [declared[index]?.call as PublicCall, answerOf(response)]),
  );
  return {
    answer<C extends PublicCall>(call: C) {
      if (!answers.has(call)) throw new TypeError(`${page.path} declares no read of ${call.name}.`);
      return answers.get(call) as AnswerOf<C>;
    },
    reads: declared.map(({ call, parts, isPaged }, index) => ({
      key: callKey(call, parts),
      isPaged,
      answer: answers.get(call),
      next: isPaged ? readNextQuery(linkOf(responses[index])) : undefined,
    })),
    tags: [...new Set(responses.flatMap(({ tags }) => tags))],
  };
}
