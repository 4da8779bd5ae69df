import { appendFileSync, chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

// Files in DATA_DIR that tell a server which commands ran, when a backup was made, and whether its last process was
// killed.

/** A command that was run. */
interface CommandRun {
  /**
   * The name of the command, such as "admin unlock". Further arguments are left out, because they contain mailboxes.
   */
  readonly command: string;
  readonly code: number;
  readonly seconds: number;
  readonly endedAt: string;
}

const commandsFile = (dataDir: string) => join(dataDir, 'commands.log');

export function appendCommand(dataDir: string, run: CommandRun): void {
  const file = commandsFile(dataDir);
  const isNew = !existsSync(file);
  // The first line break ends a line that was cut off on a full disk.
  appendFileSync(file, `\n${JSON.stringify(run)}\n`);
  // Everybody may read the file, whatever the umask: the command may have run as another user than the server.
  if (isNew) chmodSync(file, 0o644);
}

/** Removes and returns the commands in the file. Of several processes that share the folder, one gets each command. */
export function takeCommands(dataDir: string): CommandRun[] {
  const takenFile = `${commandsFile(dataDir)}.${process.pid}`;
  try {
    renameSync(commandsFile(dataDir), takenFile);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const lines = readFileSync(takenFile, 'utf8').split('\n');
  rmSync(takenFile);
  // A line that was cut off on a full disk does not end with a brace.
  return lines.filter((line) => line.endsWith('}')).map((line): CommandRun => JSON.parse(line));
}

/** A process that listens on a port. */
interface ProcessRun {
  readonly pid: number;
  /** The name of the machine: several may share a folder. */
  readonly host: string;
  readonly startedAt: string;
}

const runFile = (dataDir: string, port: number) => join(dataDir, `running-${port}`);

/**
 * Records that this process listens on a port, until `endRun`.
 * @returns the previous process of this machine on that port if it did not call `endRun`: it was killed, or the power
 * failed
 */
export function beginRun(dataDir: string, port: number, startedAt: Date): ProcessRun | undefined {
  const run: ProcessRun = { pid: process.pid, host: hostname(), startedAt: startedAt.toISOString() };
  const file = runFile(dataDir, port);
  const before = readRun(file);
  writeFileSync(file, JSON.stringify(run), { mode: 0o600 });
  return before?.host === run.host ? before : undefined;
}

export function endRun(dataDir: string, port: number): void {
  rmSync(runFile(dataDir, port), { force: true });
}

function readRun(path: string): ProcessRun | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    // After a power cut the file may be empty.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The file whose modification time is that of the last backup. */
export const lastBackupFile = (dataDir: string) => join(dataDir, 'last-backup');

/** Records that a backup was made. @param path of the backup */
export function recordBackup(dataDir: string, path: string): void {
  writeFileSync(lastBackupFile(dataDir), `${path}\n`, { mode: 0o600 });
}
