import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { findDatabaseFaults } from '../database-faults.ts';
import { createLedger, type Ledger } from '../ledger.ts';
import { makeFolder, sqliteIn } from '../places.ts';
import { populate } from '../population.ts';
import { count, describeFaults, type Promised, randomBetween } from '../promise.ts';
import { ROOT, runCommand, spawnProduct, startServer, succeed } from '../server.ts';
import { createWriters } from '../writers.ts';

const BACKUPS = 20;
const KILLS = 10;
const KILL_AFTER_MS = { min: 100, max: 500 };
const BETWEEN_MS = 100;
/** Makes a database of a little more than 1 GB. */
const LARGE = ['--schools', '2000', '--entries', '3', '--reviews', '2700000'];
const GB = 1024 ** 3;
const RESTORED_MAX_MS = 60_000;

interface Expected {
  readonly reviews: ReadonlySet<string>;
  readonly deleted: ReadonlySet<string>;
  readonly emails: ReadonlySet<string>;
}

/** The acknowledged writes whose deletion was not requested. */
function acknowledgedBy({ reviews, signUps }: Ledger): Expected {
  const all = [...reviews.values()].flatMap((ofTarget) => [...ofTarget]);
  const texts = (some: typeof all) => new Set(some.map(({ text }) => text));
  return {
    reviews: texts(all.filter(({ outcome, deletion }) => outcome === 'acknowledged' && deletion === undefined)),
    deleted: texts(all.filter(({ deletion }) => deletion === 'acknowledged')),
    emails: new Set([...signUps].filter(({ outcome }) => outcome === 'acknowledged').map(({ email }) => email)),
  };
}

/** How many of the writes that were acknowledged before a backup began are not in it. */
function countMissing(file: string, { reviews, deleted, emails }: Expected, deletedLater: ReadonlySet<string>): number {
  const database = new DatabaseSync(file, { readOnly: true });
  const column = (sql: string) =>
    new Set(
      database
        .prepare(sql)
        .all()
        .map((row) => Object.values(row)[0]),
    );
  const [stored, addresses] = [column('select review from reviews'), column('select email from users')];
  database.close();
  const lost = [...reviews].filter((text) => !stored.has(text) && !deletedLater.has(text)).length;
  const returned = [...deleted].filter((text) => stored.has(text)).length;
  return lost + returned + [...emails].filter((email) => !addresses.has(email)).length;
}

/** Writes whose deletion was requested by now: a backup may or may not contain them. */
const askedToDelete = ({ reviews }: Ledger) =>
  new Set(
    [...reviews.values()].flatMap((ofTarget) =>
      [...ofTarget].filter(({ deletion }) => deletion !== undefined).map(({ text }) => text),
    ),
  );

const findRestoredFaults = (dataDir: string) => findDatabaseFaults(sqliteIn(dataDir).address, true);

/**
 * Checks whether a backup is complete, both as a file and after restoring it into a data folder of its own.
 * @param isRestored whether it is of a database that was restored
 */
async function inspectBackup(file: string, folder: string, isRestored = false): Promise<string[]> {
  const dataDir = mkdtempSync(path.join(folder, 'restored-'));
  const copy = path.join(dataDir, 'copy.sqlite');
  copyFileSync(file, copy);
  // A copy that is cut cannot even be opened.
  const faults = await findDatabaseFaults({ sqlite: copy }, isRestored).catch((error: unknown) => [String(error)]);
  const { code, stderr } = await runCommand('restore', [file], { env: { DATA_DIR: dataDir } });
  faults.push(...(code === 0 ? await findRestoredFaults(dataDir) : [`not restored: ${stderr.trim()}`]));
  rmSync(dataDir, { recursive: true, force: true });
  return faults;
}

/** How long a database of 1 GB takes to be restored. */
async function restoreLarge(folder: string): Promise<{ ms: number; gigabytes: number }> {
  const [from, to] = [mkdtempSync(path.join(folder, 'large-')), mkdtempSync(path.join(folder, 'restored-'))];
  const file = path.join(folder, 'large.sqlite');
  const run = (name: string, args: readonly string[], dataDir: string) =>
    succeed(name, args, { env: { DATA_DIR: dataDir } });
  await run('generate', LARGE, from);
  await run('backup', [file], from);
  rmSync(from, { recursive: true, force: true });
  const began = performance.now();
  await run('restore', [file], to);
  return { ms: performance.now() - began, gigabytes: statSync(file).size / GB };
}

interface Counts {
  acknowledged: number;
  missing: number;
  readonly faults: string[];
}

/** @param make writes a backup of the database in a folder into a file */
async function backUpUnderWriters(
  rounds: number,
  folder: string,
  make: (dataDir: string, file: string) => Promise<string>,
) {
  const { dataDir, address, env } = sqliteIn(mkdtempSync(path.join(folder, 'data-')));
  const population = await populate(address, { targets: 1_500, accounts: 10 });
  const ledger = createLedger();
  const writers = createWriters(population, ledger);
  const server = await startServer({ env, onLog: writers.onLog });
  await writers.prepare(server.url);
  const stop = new AbortController();
  const writing = writers.run(server.url, stop.signal);
  const counts: Counts = { acknowledged: 0, missing: 0, faults: [] };
  const file = path.join(folder, 'backup.sqlite');
  for (let round = 0; round < rounds; round += 1) {
    await setTimeout(BETWEEN_MS);
    const expected = acknowledgedBy(ledger);
    const failure = await make(dataDir, file);
    if (failure) counts.faults.push(failure);
    counts.missing += countMissing(file, expected, askedToDelete(ledger));
    counts.faults.push(...(await inspectBackup(file, folder)));
  }
  stop.abort();
  await writing;
  await server.kill();
  counts.acknowledged = ledger.acknowledged;
  return { counts, dataDir, file };
}

async function backUp(dataDir: string, file: string): Promise<string> {
  const { code, stderr } = await runCommand('backup', [file, '--force'], { env: { DATA_DIR: dataDir } });
  return code === 0 ? '' : `a backup ended with ${code}: ${stderr.trim()}`;
}

/** Ends a command in its middle. @returns whether it had not ended before */
async function killInside(name: string, args: readonly string[], dataDir: string): Promise<boolean> {
  const child = spawnProduct(path.join(ROOT, `src/server/commands/${name}.ts`), args, { env: { DATA_DIR: dataDir } });
  child.stdout.resume();
  child.stderr.resume();
  const ended = once(child, 'close');
  await Promise.race([setTimeout(randomBetween(KILL_AFTER_MS.min, KILL_AFTER_MS.max)), ended]);
  child.kill('SIGKILL');
  const [, signal] = await ended;
  return signal === 'SIGKILL';
}

const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Kills commands in their middle, and restores a cut backup: what was there before stays whole. */
async function killCommands(times: number, dataDir: string, file: string, folder: string) {
  const { sqlite } = sqliteIn(dataDir).address;
  const faults: string[] = [];
  const killed = { backups: 0, restores: 0, compactions: 0 };
  while (Math.min(...Object.values(killed)) < times) {
    if (await killInside('backup', [file, '--force'], dataDir)) killed.backups += 1;
    // A restore may have ended before it was killed.
    faults.push(...(await inspectBackup(file, folder, true)));
    if (await killInside('restore', [file], dataDir)) killed.restores += 1;
    if (!existsSync(sqlite)) faults.push('a killed restore has left no database');
    faults.push(...(await findRestoredFaults(dataDir)));
    if (await killInside('compact', [], dataDir)) killed.compactions += 1;
    faults.push(...(await findRestoredFaults(dataDir)));
  }
  const cut = path.join(folder, 'cut.sqlite');
  copyFileSync(file, cut);
  truncateSync(cut, Math.floor(readFileSync(cut).length / 2));
  const before = hashOf(sqlite);
  const { code } = await runCommand('restore', [cut], { env: { DATA_DIR: dataDir } });
  if (code === 0 || hashOf(sqlite) !== before) faults.push('a cut backup was restored');
  return { killed, faults };
}

export const backups: Promised = {
  id: 'R5',
  promise: 'backups under four writers are true',
  async attempt({ rounds, say }) {
    const folder = makeFolder();
    try {
      const times = rounds(BACKUPS);
      const { counts, dataDir, file } = await backUpUnderWriters(times, folder, backUp);
      say(`backups: ${JSON.stringify(counts)}`);
      const kills = Math.min(times, KILLS);
      const { killed, faults: afterKills } = await killCommands(kills, dataDir, file, folder);
      counts.faults.push(...afterKills);
      const large = await restoreLarge(folder);
      const control = await backUpUnderWriters(3, mkdtempSync(path.join(folder, 'control-')), async (from, to) => {
        copyFileSync(sqliteIn(from).address.sqlite, to);
        return '';
      });
      const { acknowledged, missing, faults } = counts;
      return [
        {
          promised: `${BACKUPS} backups that hold every write acknowledged before; ${KILLS} kills each of backup, restore and compact leave what was there; a cut backup is refused; 1 GB restored within ${RESTORED_MAX_MS / 1000} s`,
          measured: `${count(times, 'backups')} under ${count(acknowledged, 'writes')}, ${missing} missing; ${killed.backups} backups, ${killed.restores} restores and ${killed.compactions} compactions killed, 1 cut; ${describeFaults(faults, 'integrity ok, counters = rows')}; ${large.gigabytes.toFixed(2)} GB restored in ${(large.ms / 1000).toFixed(1)} s`,
          isKept: missing === 0 && faults.length === 0 && large.gigabytes >= 1 && large.ms <= RESTORED_MAX_MS,
          control: `copying the file alone, 3 times: ${count(control.counts.missing, 'missing')}, ${count(control.counts.faults.length, 'faults')}`,
          isControlSeen: control.counts.missing + control.counts.faults.length > 0,
        },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
