import { type AnswerOf, callAddress } from '../../contract/call.ts';
import type { FrameRead } from '../../contract/frame.ts';
import { bytesOf } from '../cache/response-cache.ts';
import type { Tag } from '../cache/tags.ts';
import type { PublicCall, PublicReads } from '../http/public-reads.ts';

/** The parts of a read, as the browser's cache names them beside the call. */
export interface ReadParts {
  readonly params?: { readonly id: number };
  readonly query?: { readonly limit: number };
}

/** What one document is made of: the answers to the calls that its page makes at once. */
export interface PageSources {
  /** Asks a call, and remembers it. @throws a refusal, as the call would answer it */
  ask<C extends PublicCall>(call: C, parts: ReadParts, isPaged?: boolean): Promise<AnswerOf<C>>;
  /** The reads as the browser asks for them, in the order they were asked. */
  readonly addresses: readonly string[];
  readonly reads: readonly FrameRead[];
  /** What the document must fall with. */
  readonly tags: ReadonlySet<Tag>;
}

export function openPageSources(publicReads: PublicReads): PageSources {
  const addresses: string[] = [];
  const reads: FrameRead[] = [];
  const tags = new Set<Tag>();
  return {
    async ask<C extends PublicCall>(call: C, parts: ReadParts, isPaged = false) {
      addresses.push(callAddress(call, parts));
      const response = await publicReads.find(call, parts);
      for (const tag of response.tags) tags.add(tag);
      const answer = JSON.parse(bytesOf(response.plain).toString()) as AnswerOf<C>;
      reads.push({ key: [call.name, parts], isPaged, answer });
      return answer;
    },
    addresses,
    reads,
    tags,
  };
}
