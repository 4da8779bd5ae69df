import { parseArgs } from 'node:util';
import { parseOnly, readWhole } from '../bin/command-line.ts';

export interface Options {
  /** Promises to try, such as R1; empty: all. */
  readonly only: readonly string[];
  /** Rounds in place of the promised number; 0: as promised. */
  readonly rounds: number;
  /** How long the mixed load of R15 lasts. */
  readonly minutes: number;
}

/** The options as `--help` lists them. */
export const OPTION_TEXTS = [
  ['--only R1,R2', 'these promises; default: all'],
  ['--rounds N', 'rounds in place of the promised number'],
  ['--minutes N', 'how long the mixed load of R15 lasts (5)'],
] as const;

/** Reads the command line. @throws with one line that says what is wrong */
export function readOptions(args: readonly string[], known: readonly string[]): Options {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const { values } = parseArgs({ args: [...args], options: { only: text(''), rounds: text('0'), minutes: text('5') } });
  return {
    only: parseOnly(values.only, known),
    rounds: readWhole('rounds', values.rounds, 0),
    minutes: readWhole('minutes', values.minutes, 1),
  };
}
