import { type AddressParts, type Call, callAddress } from '../../../contract/call.ts';

/** The Link header for the next page: the same call and query with its cursor. */
export function linkToNext(call: Call, { query, ...parts }: AddressParts, next: string): string {
  return `<${callAddress(call, { ...parts, query: { ...query, before: next } })}>; rel="next"`;
}
