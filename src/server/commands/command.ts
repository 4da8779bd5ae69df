import { retryWhileBusy } from '../database/batches.ts';
import { isDamaged, isUnavailable, UnusableDatabase } from '../database/failures.ts';
import { openDatabase } from '../database/open.ts';
import { Refusal } from '../refusals/refusals.ts';
import { readSettings, SettingError, type Settings } from '../settings.ts';

/** A command that cannot do what it was asked for; its message is the one line that the operator sees. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** One line, and nothing that could steer a terminal: messages quote files that nobody has vouched for. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** What the operator gets to read: one line; the stack too when it is our mistake. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error));
  const message = oneLine(error.message || String((error as { code?: string }).code));
  if ([CommandError, SettingError, Refusal, UnusableDatabase].some((kind) => error instanceof kind)) return message;
  if (isDamaged(error)) return `The database is damaged: ${message}. Restore a backup.`;
  if (isUnavailable(error)) return `This cannot be done just now: ${message}.`;
  return 'code' in error ? message : String(error.stack);
}

/** Runs a command to its end: what it throws becomes one line on standard error and an exit code other than 0. */
export async function runCommand(command: (settings: Settings, args: string[]) => Promise<void>): Promise<void> {
  // `npm run import -- FILE | head` is no failure of ours.
  process.stdout.on('error', () => process.exit());
  try {
    await command(readSettings(), process.argv.slice(2));
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${describeFailure(error)}\n`);
  }
}

/** Opens the database as a server would; waits longer for one that is busy, because nobody waits for a command. */
export function openForCommand(settings: Settings) {
  return retryWhileBusy(() => openDatabase(settings.database));
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const TENTH = 0.1;

/** Since a time of `performance.now()`, as people read it: "0.4 s". */
export function secondsSince(start: number): string {
  return `${Math.max(TENTH, (performance.now() - start) / 1000).toFixed(1)} s`;
}

export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount.toLocaleString('en')} ${amount === 1 ? one : many}`;
}
