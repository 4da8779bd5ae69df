import { currentWork } from './processor-time.ts';

/** A limit as the headers describe it. */
export interface RatePolicy {
  readonly name: string;
  readonly max: number;
  readonly windowMs: number;
}

/** How much of a limit is left. */
export interface RateState {
  readonly policy: RatePolicy;
  readonly left: number;
  /** Until the window ends. */
  readonly seconds: number;
}

const wholeSeconds = (seconds: number) => Math.max(1, Math.ceil(seconds));

/** The header fields of draft-ietf-httpapi-ratelimit-headers-10. */
export function rateHeaders(states: readonly RateState[]): Record<string, string> {
  const join = (items: readonly string[]) => items.join(', ');
  return {
    'RateLimit-Policy': join(
      states.map(({ policy: { name, max, windowMs } }) => `"${name}";q=${max};w=${wholeSeconds(windowMs / 1000)}`),
    ),
    RateLimit: join(
      states.map(
        ({ policy: { name }, left, seconds }) => `"${name}";r=${Math.max(0, left)};t=${wholeSeconds(seconds)}`,
      ),
    ),
  };
}

/** Whether a request has noted what it has left of a limit. */
export const isNoted = ({ name }: RatePolicy): boolean => currentWork()?.rates?.has(name) ?? false;

/** Notes what a request has left of a limit. Of several counters, such as those of a network, the lowest counts. */
export function noteRate(policy: RatePolicy, left: number, seconds: number): void {
  const work = currentWork();
  if (!work || !Number.isFinite(policy.max)) return;
  work.rates ??= new Map();
  const known = work.rates.get(policy.name);
  if (!known || left < known.left) work.rates.set(policy.name, { policy, left, seconds });
}
