import { type AddressParts, type AnswerOf, type Call, callAddress } from '../../../contract/call.ts';
import { Page } from '../../database/paging.ts';

/**
 * What is sent for what a handler has found: of a page its rows, and the Link header with the address of the next one,
 * which is the same call and query with its cursor.
 */
export function splitPage<C extends Call>(
  call: C,
  parts: AddressParts,
  found: AnswerOf<C> | Page<AnswerOf<C>>,
): { answer: AnswerOf<C>; link: string | undefined } {
  if (!(found instanceof Page)) return { answer: found, link: undefined };
  const { rows: answer, next } = found;
  if (next === undefined) return { answer, link: undefined };
  const address = callAddress(call, { ...parts, query: { ...parts.query, before: next } });
  return { answer, link: `<${address}>; rel="next"` };
}
