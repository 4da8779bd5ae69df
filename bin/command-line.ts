import { ignoreClosedPipes } from './process.mjs';

/** What `--help` prints of one option. */
type Option = readonly [option: string, meaning: string];

/** Reads the value of `--only`, names with commas between. @throws with one line that says which names there are */
export function parseOnly(value: string, known: readonly string[]): string[] {
  const only = value.split(',').filter((name) => name !== '');
  const unknown = only.find((name) => !known.includes(name));
  if (unknown) throw new Error(`--only names "${unknown}". Allowed: ${known.join(', ')}.`);
  return only;
}

/** Reads a whole number. @throws with one line that says which ones are allowed */
export function readWhole(name: string, value: string, min: number): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= min) return number;
  throw new Error(`--${name} is "${value}". Allowed: a whole number from ${min}.`);
}

/**
 * Reads the command line of a tool. It prints the help and ends for `--help`, and ends with one line for what the tool
 * does not know.
 * @param usage "npm run bench"
 * @param read throws an error with one line that says what is wrong
 */
export function readCommandLine<T>(usage: string, options: readonly Option[], read: (args: string[]) => T): T {
  ignoreClosedPipes();
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    const width = Math.max(...options.map(([option]) => option.length));
    const lines = options.map(([option, meaning]) => `  ${option.padEnd(width)}  ${meaning}`);
    const command = options.length > 0 ? `${usage} -- [OPTIONS]` : usage;
    process.stdout.write(`${[`Usage: ${command}`, ...lines].join('\n')}\n`);
    process.exit(0);
  }
  try {
    return read(args);
  } catch (error) {
    // The advice that Node adds to an unknown option is about positional arguments, which no tool has.
    const [sentence] = String(error instanceof Error ? error.message : error).split('. To specify');
    process.stderr.write(`${sentence} (${usage} -- --help)\n`);
    process.exit(1);
  }
}

/** What a tool says while it works. */
export const say = (line: string) => process.stderr.write(`${line}\n`);

/** Does the work of a tool. An error ends it, and so does a signal: listeners of "exit" end everything that was started. */
export async function runTool(work: () => Promise<void>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  try {
    await work();
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(1);
  }
}
