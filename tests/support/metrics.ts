import { call } from './call.ts';

/** The value of one series of `GET /metrics`, such as `cached_response_misses_total`; NaN when it is not there. */
export async function readMetric(product: { url: string }, series: string): Promise<number> {
  const { text } = await call(product, 'GET /metrics');
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1));
}
