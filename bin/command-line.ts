/** What `--help` prints of one option. */
type Option = readonly [option: string, meaning: string];

/** Reads the value of `--only`, names with commas between. @throws with one line that says which names there are */
export function parseOnly(value: string, known: readonly string[]): string[] {
  const only = value.split(',').filter((name) => name !== '');
  const unknown = only.find((name) => !known.includes(name));
  if (unknown) throw new Error(`--only names "${unknown}". Allowed: ${known.join(', ')}.`);
  return only;
}

/**
 * Reads the command line of a tool. It prints the help and ends for `--help`, and ends with one line for what the tool
 * does not know.
 * @param usage "npm run bench"
 * @param read throws an error with one line that says what is wrong
 */
export function readCommandLine<T>(usage: string, options: readonly Option[], read: (args: string[]) => T): T {
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
