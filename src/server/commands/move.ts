import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { copyFile, isOpen, isSqliteFile, removeDatabaseFile } from '../database/database-file.ts';
import type { RowCounts } from '../database/integrity.ts';
import { isCurrent } from '../database/migrate.ts';
import { type Moved, moveRows } from '../database/move.ts';
import { openPostgres } from '../database/postgres.ts';
import { connectSqliteCopy, connectSqliteUnchanging, type SqliteConnection } from '../database/sqlite-connection.ts';
import { DATA_TABLES } from '../database/table-rows.ts';
import { readTarget } from '../settings/database.ts';
import { readStartFolder } from '../settings/settings.ts';
import { CommandError, type CommandHelp, count, print, runCommand, secondsSince, wrongUsage } from './command.ts';
import { checkCounts } from './count-checks/check.ts';
import { createProgress } from './progress.ts';
import { describeRows, migrateCopy, verifyDatabase } from './verify-copy.ts';

const HELP: CommandHelp = {
  usage: 'npm run move -- SQLITE_FILE POSTGRES_URL',
  about: 'Takes everything from SQLite over into PostgreSQL, while no server runs. The file is only read.',
  parts: { SQLITE_FILE: 'such as data/school-reviews.sqlite', POSTGRES_URL: 'of an empty database' },
};

/** Refuses a file that is in use: rows written after they were read would be lost silently. */
function requireSource(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (!there) throw new CommandError(`There is no file ${path}.`);
  if (!there.isFile()) throw new CommandError(`${path} is not a file.`);
  if (!isSqliteFile(path)) throw new CommandError(`${path} is not an SQLite database.`);
  if (isOpen(path)) {
    throw new CommandError(`${path} is open, or was not closed: stop the server first, or move a backup of it.`);
  }
}

/** @returns a function that throws if a process has opened or changed the file meanwhile */
function watchSource(path: string): () => void {
  const before = statSync(path);
  return () => {
    const now = statSync(path, { throwIfNoEntry: false });
    if (now?.mtimeMs === before.mtimeMs && now.size === before.size && !isOpen(path)) return;
    throw new CommandError(`${path} was opened while it was moved. Stop the server, then move. Nothing was changed.`);
  };
}

/** Calls `use` with the file, or with a migrated copy if an older version made it. The file itself is only read. */
async function withSource<T>(path: string, use: (source: SqliteConnection, rows: RowCounts) => Promise<T>): Promise<T> {
  const file = connectSqliteUnchanging(path);
  try {
    const rows = await verifyDatabase(file, path);
    if (await isCurrent(file.kysely)) return await use(file, rows);
  } finally {
    file.raw.close();
  }
  // In the same folder, where there is room for such files, and where the copy may share its blocks with the file.
  const copy = `${path}.moving`;
  removeDatabaseFile(copy);
  try {
    copyFile(path, copy);
    const migrated = connectSqliteCopy(copy);
    try {
      return await use(migrated, await migrateCopy(migrated, path));
    } finally {
      migrated.raw.close();
    }
  } finally {
    removeDatabaseFile(copy);
  }
}

async function move(source: SqliteConnection, url: string, requireUnchanged: () => void): Promise<Moved> {
  const progress = createProgress();
  const target = await openPostgres({ postgres: url }, undefined);
  try {
    return await moveRows(source.kysely, target, {
      onMoved: (table, rows) => progress.show(`Moving ${table}: ${count(rows, 'row')}`),
      async prove(db) {
        progress.show('Checking counts');
        const { faults } = await checkCounts(db);
        if (faults.length > 0) throw new CommandError(`The target is not consistent: ${faults[0]}.`);
        requireUnchanged();
      },
    });
  } finally {
    progress.clear();
    await target.close();
  }
}

await runCommand(HELP, async (_settings, args) => {
  const [file, url, ...others] = parseArgs({ args, allowPositionals: true }).positionals;
  if (!file || !url || others.length > 0) throw wrongUsage(HELP);
  const path = resolve(readStartFolder(), file);
  const target = readTarget(url);
  requireSource(path);

  const start = performance.now();
  const requireUnchanged = watchSource(path);
  try {
    const { rows, digest, wasThere } = await withSource(path, async (source, rows) => ({
      rows,
      ...(await move(source, target, requireUnchanged)),
    }));
    const total = DATA_TABLES.reduce((sum, table) => sum + digest[table].rows, 0);
    const compared = `${count(total, 'row')} in ${count(DATA_TABLES.length, 'table')} compared`;
    const what = wasThere ? 'All there already, verified' : 'Moved and verified';
    print(`${what} in ${secondsSince(start)}: ${describeRows(rows)}; ${compared}.`);
  } catch (error) {
    // If the file was written meanwhile, that explains any read error, and the operator can do something about it.
    requireUnchanged();
    throw error;
  }
});
