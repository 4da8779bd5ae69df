import type { Call } from '../src/contract/call.ts';
import type { Answer } from '../tests/support/call.ts';
import { send } from './http.ts';

/** An answer. Where there was none it is a 503, as the sample of nginx makes one. */
type Balanced = Pick<Answer, 'status' | 'text'>;

const codeOf = (error: TypeError) => (error.cause as { code?: string } | undefined)?.code ?? 'broken';

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
      if (!(error instanceof TypeError)) throw error;
      return codeOf(error) === 'ECONNREFUSED' ? 'refused' : { status: 503, text: codeOf(error) };
    }
  }

  return async (call: Call, parts: Parameters<typeof send>[2] = {}): Promise<Balanced> => {
    turn += 1;
    const first = turn;
    let last: Balanced = { status: 503, text: 'nobody accepts a connection' };
    for (let index = 0; index < urls.length; index += 1) {
      const answer = await ask(urls[(first + index) % urls.length] ?? '', call, parts);
      if (answer === 'refused') continue;
      last = answer;
      if (answer.status !== 503 || call.method !== 'GET') break;
    }
    return last;
  };
}
