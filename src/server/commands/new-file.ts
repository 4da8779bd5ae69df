import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Database } from '../database/database.ts';
import { putInPlace, unfinishedName } from '../database/database-file.ts';
import { readStartFolder, type Settings } from '../settings/settings.ts';
import { CommandError, fileSize, openForReading, secondsSince } from './command.ts';
import { createProgress } from './progress.ts';

type WriteContents<Result> = (
  database: Database,
  path: string,
  progress: ReturnType<typeof createProgress>,
) => Promise<Result>;

/**
 * Writes a file from the database, which is opened for reading. The file gets its name when it is complete.
 * @param file relative to the folder in which npm was started
 * @param write writes the contents to the given path
 * @returns the result of `write`, and the end of a sentence: "in 0.4 s: /srv/site.gz, 182 MB"
 * @throws {CommandError} when the file exists already, or there is no database
 */
export async function writeNewFile<Result>(
  settings: Settings,
  file: string,
  write: WriteContents<Result>,
): Promise<{ result: Result; written: string }> {
  const target = resolve(readStartFolder(), file);
  if (!existsSync(dirname(target))) throw new CommandError(`There is no folder ${dirname(target)}.`);
  if (existsSync(target)) throw new CommandError(`${target} is there already. Name another file.`);
  const start = performance.now();
  const progress = createProgress();
  await using database = await openForReading(settings);
  const partial = unfinishedName(target);
  try {
    const result = await write(database, partial, progress);
    putInPlace(partial, target);
    return { result, written: `in ${secondsSince(start)}: ${target}, ${fileSize(target)}` };
  } finally {
    progress.clear();
  }
}
