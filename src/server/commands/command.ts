import { existsSync, statSync } from 'node:fs';
import type { Database } from '../database/database.ts';
import { requireFileOfLog } from '../database/database-file.ts';
import { damagedText, isDamaged, isUnavailable, UnusableDatabase } from '../database/failures.ts';
import { requireSchema } from '../database/migrate.ts';
import { connectDatabase, openDatabase } from '../database/open.ts';
import { Refusal } from '../http/refusals/refusals.ts';
import { appendCommand } from '../numbers/run-files.ts';
import { SettingError } from '../settings/environment.ts';
import { readSettings, type Settings } from '../settings/settings.ts';

/** A command that cannot do its work. The operator sees the message as one line. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Removes line breaks and terminal control characters, because messages quote untrusted files. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** The text for the operator: one line, or the stack if the product itself has a fault. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error));
  // An error while closing the database would hide the first one.
  if (error instanceof SuppressedError) return describeFailure(error.suppressed);
  const message = oneLine(error.message || String((error as { code?: string }).code));
  if ([CommandError, SettingError, Refusal, UnusableDatabase].some((kind) => error instanceof kind)) return message;
  if (isDamaged(error)) return damagedText(message);
  if (isUnavailable(error)) return `This cannot be done just now: ${message}.`;
  return 'code' in error ? message : String(error.stack);
}

/** The text of `--help`. */
export interface CommandHelp {
  /** The command line, with capitals for what the operator fills in. */
  readonly usage: string;
  /** The purpose of the command, in a sentence or two. */
  readonly about: string;
  readonly parts?: Readonly<Record<string, string>>;
}

/** The error for arguments that cannot be understood. */
export function wrongUsage({ usage }: CommandHelp): CommandError {
  return new CommandError(`Usage: ${usage}`);
}

/** The only operand of a command. @throws {CommandError} unless there is exactly one */
export function requireOperand(help: CommandHelp, [operand, ...others]: readonly string[]): string {
  if (!operand || others.length > 0) throw wrongUsage(help);
  return operand;
}

const HELP = '--help';

function helpText({ usage, about, parts = {} }: CommandHelp): string {
  const all = Object.entries({ ...parts, [HELP]: 'prints this' });
  const width = Math.max(...all.map(([part]) => part.length));
  return [`Usage: ${usage}`, about, '', ...all.map(([part, text]) => `  ${part.padEnd(width)}  ${text}`)].join('\n');
}

/** Runs a command in this process, by default with its environment. @returns the exit code */
export type Command = (args: string[], env?: NodeJS.ProcessEnv) => Promise<number>;

/**
 * Makes a command, which prints its help when it is asked for that. An error becomes one line on standard error and a
 * non-zero exit code.
 * @param run may return the exit code; default: 0
 */
export function createCommand(
  help: CommandHelp,
  run: (settings: Settings, args: string[], env: NodeJS.ProcessEnv | undefined) => Promise<number | undefined>,
): Command {
  const fail = (error: unknown) => {
    process.stderr.write(`${describeFailure(error)}\n`);
    return error instanceof CommandError ? error.exitCode : 1;
  };
  return async (args, env) => {
    if (args.includes(HELP)) {
      print(helpText(help));
      return 0;
    }
    try {
      const settings = readSettings(env);
      const code = (await run(settings, args, env).catch(fail)) ?? 0;
      const done = {
        command: commandName(help, args),
        code,
        seconds: Math.round(performance.now()) / 1000,
        endedAt: new Date().toISOString(),
      };
      tryToRecord('The log will not have this command', () => appendCommand(settings.dataDir, done));
      return code;
    } catch (error) {
      return fail(error);
    }
  };
}

/** Runs the command of the file that this process was started with. */
export async function runAsProcess(command: Command): Promise<void> {
  // A closed pipe, as with `npm run import -- FILE | head`, is not an error, and the command still does its work.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  process.exitCode = await command(process.argv.slice(2));
}

/** Records something for the server. A failure, as on a full disk, is only printed: the command has done its work. */
export function tryToRecord(failure: string, record: () => void): void {
  try {
    record();
  } catch (error) {
    process.stderr.write(`${failure}: ${oneLine(String(error))}\n`);
  }
}

/** The script of a command, and its action if it has several: "admin unlock". */
function commandName({ usage, parts = {} }: CommandHelp, [action = '']: readonly string[]): string {
  const script = /^npm run (\S+)/.exec(usage)?.[1] ?? usage;
  return Object.keys(parts).some((part) => part.split(' ', 1)[0] === action) ? `${script} ${action}` : script;
}

/** Opens and migrates the database. */
export async function openForCommand(settings: Settings) {
  return closing(await openDatabase(settings.database));
}

/** Makes a database close at the end of the block that declares it with `await using`. */
export const closing = (database: Database): Database & AsyncDisposable =>
  Object.assign(database, { [Symbol.asyncDispose]: () => database.close() });

/**
 * Opens the database for a command that changes nothing, not even the version of its tables.
 * @throws when there is no database, or its tables are not those of this version
 */
export async function openForReading(settings: Settings) {
  if ('sqlite' in settings.database) requireDatabaseFile(settings.database.sqlite);
  const database = await connectDatabase(settings.database);
  try {
    await requireSchema(database);
    return closing(database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

export function requireDatabaseFile(path: string): void {
  requireFileOfLog(path);
  if (!existsSync(path)) throw new CommandError(`There is no database at ${path} yet.`);
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const MB = 1024 * 1024;

/** The size of a file: "182 MB". */
export function fileSize(path: string): string {
  return `${Math.ceil(statSync(path).size / MB).toLocaleString('en')} MB`;
}

const TENTH = 0.1;

/** The time since an earlier `performance.now()`: "0.4 s". */
export function secondsSince(start: number): string {
  return `${Math.max(TENTH, (performance.now() - start) / 1000).toFixed(1)} s`;
}

/** An amount with its noun: "1 school", "1,234 schools". */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount.toLocaleString('en')} ${amount === 1 ? one : many}`;
}
