import type { Call } from '../src/contract/call.ts';
import { type Answer, send } from './http.ts';

/** An answer, or that there was none, of which the sample of nginx makes a 503. */
type Balanced = Pick<Answer, 'status'>;

const isRefused = (error: unknown) =>
  error instanceof TypeError && (error.cause as { code?: string } | undefined)?.code === 'ECONNREFUSED';

const UNANSWERED: Balanced = { status: 503 };

/**
 * Sends requests to several addresses in turn, like the sample of nginx: whoever accepts no connection is passed over,
 * and a read that is answered 503, or not at all, is asked of the next one. A write that was sent is never sent again.
 */
export function createBalancer(urls: readonly string[]) {
  let turn = 0;

  async function ask(url: string, call: Call, parts: Parameters<typeof send>[2]): Promise<Balanced | 'refused'> {
    try {
      return await send(url, call, parts);
    } catch (error) {
      if (isRefused(error)) return 'refused';
      if (error instanceof TypeError) return UNANSWERED;
      throw error;
    }
  }

  return async (call: Call, parts: Parameters<typeof send>[2] = {}): Promise<Balanced> => {
    turn += 1;
    let last = UNANSWERED;
    for (let index = 0; index < urls.length; index += 1) {
      const answer = await ask(urls[(turn + index) % urls.length] ?? '', call, parts);
      if (answer === 'refused') continue;
      last = answer;
      if (answer.status !== 503 || call.method !== 'GET') break;
    }
    return last;
  };
}
