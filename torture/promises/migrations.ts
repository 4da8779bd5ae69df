import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { runSql } from '../../tests/support/postgres-faults.ts';
import { type OpenPlace, onEachEngine, openSqlitePlace, type Place } from '../places.ts';
import { count, type Finding, type Promised } from '../promise.ts';
import { type Fault, type Start, startServer } from '../server.ts';

const KILLS = 20;

/** What the tables of a place look like now. */
async function schemaOf({ address }: Place): Promise<string> {
  if ('postgres' in address) {
    const url = address.postgres;
    return JSON.stringify([
      await runSql(
        url,
        `select table_name, column_name, data_type from information_schema.columns where table_schema = 'public' order by 1, 2`,
      ),
      await runSql(url, `select indexdef from pg_indexes where schemaname = 'public' order by indexname`),
    ]);
  }
  if (!existsSync(address.sqlite)) return '[]';
  const database = new DatabaseSync(address.sqlite);
  const rows = database.prepare('select type, name, sql from sqlite_schema order by name').all();
  database.close();
  return JSON.stringify(rows);
}

/** Starts the product and ends it. @returns why it did not start; empty when it did */
async function tryStart(start: Start): Promise<string> {
  try {
    const server = await startServer(start);
    await server.kill();
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

interface Tally {
  /** Starts that were killed inside the migration. */
  killed: number;
  /** What was left in part, or could not be started on. */
  readonly halves: string[];
}

/** Kills a first start at each of the first statements that make its tables, then starts on what is left. */
async function killAtEach(open: OpenPlace, times: number, fault: Fault, whole: string): Promise<Tally> {
  const tally: Tally = { killed: 0, halves: [] };
  for (let statement = 1; statement <= times; statement += 1) {
    const place = await open();
    const empty = await schemaOf(place);
    const death = await tryStart({ env: { ...place.env, DIES_AT: String(statement) }, fault });
    if (death.includes('SIGKILL')) tally.killed += 1;
    const left = await schemaOf(place);
    if (left !== empty && left !== '[]') tally.halves.push(`tables in part after statement ${statement}`);
    const [one, other] = await Promise.all([tryStart({ env: place.env }), tryStart({ env: place.env })]);
    if (one || other) tally.halves.push(`after statement ${statement}: ${one || other}`);
    else if ((await schemaOf(place)) !== whole) tally.halves.push(`other tables after statement ${statement}`);
    place.remove();
  }
  return tally;
}

/** A file of a version to come is refused and stays as it is, byte for byte. */
async function refusesNewer(): Promise<boolean> {
  const place = openSqlitePlace();
  await tryStart({ env: place.env });
  const file = place.address.sqlite;
  const database = new DatabaseSync(file);
  database.exec(`insert into migrations (number, name, applied_at) values (999, '999-from-tomorrow', 0)`);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const copy = `${file}.copy`;
  copyFileSync(file, copy);
  const refusal = await tryStart({ env: place.env });
  const isUntouched = readFileSync(file).equals(readFileSync(copy));
  place.remove();
  return refusal.includes('newer version') && isUntouched;
}

async function wholeSchema(open: OpenPlace): Promise<string> {
  const place = await open();
  const failure = await tryStart({ env: place.env });
  if (failure) throw new Error(failure);
  const schema = await schemaOf(place);
  place.remove();
  return schema;
}

const describe = ({ killed, halves }: Tally) =>
  `${count(killed, 'starts killed')}, ${halves.length === 0 ? 'none left in part' : `${count(halves.length, 'left in part')}, such as: ${halves[0]}`}`;

async function attemptOn(on: string, open: OpenPlace, times: number): Promise<Finding> {
  const whole = await wholeSchema(open);
  const tally = await killAtEach(open, times, 'dies-at-statement', whole);
  const control = await killAtEach(open, Math.min(times, 5), 'migrates-without-transaction', whole);
  const isNewerRefused = on !== 'SQLite' || (await refusesNewer());
  const newer = on === 'SQLite' ? `; a newer file ${isNewerRefused ? 'refused, untouched' : 'NOT refused'}` : '';
  return {
    on,
    promised: `${KILLS} kills inside a migration, then two starts at once: all or nothing, and they finish it`,
    measured: describe(tally) + newer,
    isKept: tally.killed === times && tally.halves.length === 0 && isNewerRefused,
    control: `each statement committed by itself: ${describe(control)}`,
    isControlSeen: control.halves.length > 0,
  };
}

export const migrations: Promised = {
  id: 'R13',
  promise: 'a migration that is killed leaves nothing half',
  async attempt({ rounds }) {
    const times = rounds(KILLS);
    return onEachEngine((on, open) => attemptOn(on, open, times));
  },
};
