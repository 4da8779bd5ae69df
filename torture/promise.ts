import type { Options } from './options.ts';

/** The result of trying one promise. */
export interface Finding {
  /** Where it was tried, if on more than one: SQLite, PostgreSQL. */
  readonly on?: string;
  readonly promised: string;
  readonly measured: string;
  readonly isKept: boolean;
  /** The result of the same trial with a product that breaks the promise; without it the trial could not fail. */
  readonly control: string;
  readonly isControlSeen: boolean;
}

export interface Trial {
  readonly options: Options;
  /** How many rounds to make: as many as promised, unless --rounds says otherwise. */
  rounds(promised: number): number;
  say(line: string): void;
}

/** A promise of the product that can be tried. */
export interface Promised {
  readonly id: string;
  readonly promise: string;
  /** Why this machine cannot try it; undefined when it can. */
  needs?(): string | undefined;
  attempt(trial: Trial): Promise<Finding[]>;
}

export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

export const count = (amount: number, what: string) => `${amount.toLocaleString('en')} ${what}`;

export const describeFaults = (faults: readonly string[], none = '0 faults') =>
  faults.length === 0 ? none : `${faults.length} faults, such as: ${faults[0]}`;

/** The percentile: the value that this share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new Error('There is no percentile of nothing.');
  return value;
}

/** A whole number between two, both included. */
export function randomBetween(min: number, max: number): number {
  return min + Math.floor(Math.random() * (max - min + 1));
}
