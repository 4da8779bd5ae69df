import { type AnswerOf, callKey, readNextQuery } from '../../contract/call.ts';
import { type PageAddress, readsOf } from '../../contract/page-reads.ts';
import type { Page } from '../../contract/pages.ts';
import type { RenderedRead } from '../../contract/server-rendering.ts';
import type { Tag } from '../database/change-tags.ts';
import { answerOf, type CachedResponse } from '../http/cache/cached-response.ts';
import type { PublicCall, PublicReads, ReadParts } from '../http/serve/public-reads.ts';

/** The data of a document: the answers to the reads that its page declares. */
export interface PageSources {
  /** The answer to the first declared read of a call. @throws when the page declares none */
  answer<C extends PublicCall>(call: C): AnswerOf<C>;
  readonly reads: readonly RenderedRead[];
  /** The tags that invalidate the document. */
  readonly tags: readonly Tag[];
}

function linkOf(response: CachedResponse | undefined): string | undefined {
  const at = response?.ownHeaders.indexOf('Link') ?? -1;
  return at < 0 ? undefined : response?.ownHeaders[at + 1];
}

/** Makes all reads that a page declares. @throws the refusal of a call */
export async function readPageSources(publicReads: PublicReads, page: Page, at: PageAddress): Promise<PageSources> {
  const declaredReads = readsOf(page, at);
  const responses = await Promise.all(
    declaredReads.map(({ call, parts }) => publicReads.find(call, parts as ReadParts)),
  );
  const answers = responses.map(answerOf);
  return {
    answer<C extends PublicCall>(call: C) {
      const index = declaredReads.findIndex((read) => read.call === call);
      if (index < 0) throw new TypeError(`${page.path} declares no read of ${call.name}.`);
      return answers[index] as AnswerOf<C>;
    },
    reads: declaredReads.map(({ call, parts, isPaged }, index) => ({
      key: callKey(call, parts),
      isPaged,
      answer: answers[index],
      next: isPaged ? readNextQuery(linkOf(responses[index])) : undefined,
    })),
    tags: [...new Set(responses.flatMap(({ tags }) => tags))],
  };
}
