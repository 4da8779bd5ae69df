import { AsyncLocalStorage } from 'node:async_hooks';

/** What the headers say of a limit. */
export interface RatePolicy {
  readonly name: string;
  readonly max: number;
  readonly windowMs: number;
}

/** How much of a limit is left. */
interface RateState {
  readonly policy: RatePolicy;
  readonly left: number;
  /** Until the window ends. */
  readonly seconds: number;
}

const whole = (seconds: number) => Math.max(1, Math.ceil(seconds));

/** The header fields of draft-ietf-httpapi-ratelimit-headers-10. */
export function rateHeaders(states: readonly RateState[]): Record<string, string> {
  const join = (items: readonly string[]) => items.join(', ');
  return {
    'RateLimit-Policy': join(
      states.map(({ policy: { name, max, windowMs } }) => `"${name}";q=${max};w=${whole(windowMs / 1000)}`),
    ),
    RateLimit: join(
      states.map(({ policy: { name }, left, seconds }) => `"${name}";r=${Math.max(0, left)};t=${whole(seconds)}`),
    ),
  };
}

/** What is left of the limits that a request was counted against so far, by their names. */
const rateStates = new AsyncLocalStorage<Map<string, RateState>>();

/** Notes what a request has left of a limit: of several counters, such as those of a network, the one with the least. */
export function noteRate(policy: RatePolicy, left: number, seconds: number): void {
  const states = rateStates.getStore();
  const known = states?.get(policy.name);
  if (Number.isFinite(policy.max) && !(known && known.left <= left))
    states?.set(policy.name, { policy, left, seconds });
}

/** Runs the handler of a call. @param send is given the headers that say what is left, if it was counted against a limit */
export async function sayingRates<T>(
  send: (headers: Record<string, string>) => void,
  run: () => Promise<T>,
): Promise<T> {
  const states = new Map<string, RateState>();
  try {
    return await rateStates.run(states, run);
  } finally {
    if (states.size > 0) send(rateHeaders([...states.values()]));
  }
}
