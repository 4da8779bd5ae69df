import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { queryEach, startPostgres } from '../../tests/support/postgres.ts';
import { crashRounds, describe, type Machine, type OpenMachine, suppliesFor } from '../crash-rounds.ts';
import { cannotMount, copyImage, type Mounted, makeImage, mountImage, syncDisk } from '../disks.ts';
import { makeFolder, sqliteIn } from '../places.ts';
import { populate, TOKEN_SECRET } from '../population.ts';
import type { Finding, Promised, Trial } from '../promise.ts';
import { type Fault, type Server, startServer } from '../server.ts';

const CUTS = 50;
const CONTROL_CUTS = 10;
const WRITES_A_CUT = 5;
/** The share of a control's rounds with acknowledged writes that must lose one. */
const LOSING_SHARE = 0.9;
const SQLITE_MB = 96;
const POSTGRES_MB = 512;

/** In memory where possible, because copies are made faster there. */
const IMAGES = existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();

/** A disk that can lose its power: a copy of its image lacks what was not synced. */
function openDisk(megabytes: number) {
  const folder = mkdtempSync(path.join(IMAGES, 'school-reviews-torture-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder);
  let cuts = 0;
  const image = () => path.join(folder, `${cuts}.img`);
  makeImage(image(), megabytes);
  let mounted: Mounted = mountImage(image());
  return {
    path: (...names: string[]) => path.join(mounted.folder, ...names),
    sync: () => syncDisk(mounted.folder),
    /** Copies the disk as it is now, for `replace`. */
    freeze: () => copyImage(image(), path.join(folder, `${cuts + 1}.img`)),
    /** Continues with the frozen image. */
    replace() {
      mounted.unmount();
      rmSync(image());
      cuts += 1;
      mounted = mountImage(image());
    },
    remove() {
      mounted.unmount();
      removeFolder();
      process.off('exit', removeFolder);
    },
  };
}

function openOnSqlite(rounds: number, fault?: Fault): OpenMachine {
  return async (onLog): Promise<Machine> => {
    const disk = openDisk(SQLITE_MB);
    mkdirSync(disk.path('data'), { mode: 0o700 });
    const place = () => sqliteIn(disk.path('data'));
    const population = await populate(place().address, suppliesFor(rounds));
    const start = () => startServer({ env: place().env, fault, onLog });
    let server: Server = await start();
    return {
      population,
      server: () => server,
      address: () => place().address,
      async crash() {
        server.process.kill('SIGSTOP');
        disk.freeze();
        await server.kill();
      },
      async restart() {
        disk.replace();
        server = await start();
      },
      async remove() {
        await server.kill();
        disk.remove();
      },
    };
  };
}

/** The ids of a PostgreSQL server and all its processes, each of which leads a group of its own. */
function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))];
}

function openOnPostgres(rounds: number, settings: readonly string[] = []): OpenMachine {
  return async (onLog): Promise<Machine> => {
    const disk = openDisk(POSTGRES_MB);
    const dataDir = makeFolder();
    const origin = await startPostgres({ isDurable: true });
    // The log of PostgreSQL has to fit on the disk.
    await queryEach(origin.url('postgres'), "alter system set max_wal_size = '128MB'", ...settings);
    await origin.halt('SIGINT');
    const startDatabase = () => origin.startBeside((_, beside) => symlink(disk.path('data'), beside));
    let database = await origin.startBeside(async (data, beside) => {
      cpSync(data, disk.path('data'), { recursive: true });
      // The new cluster is synced: only what is written from now on can be lost.
      disk.sync();
      await symlink(disk.path('data'), beside);
    });
    const address = () => ({ postgres: database.url('postgres') });
    const population = await populate(address(), suppliesFor(rounds));
    // What the trial begins with is made durable: the control must not lose it.
    await queryEach(database.url('postgres'), 'checkpoint');
    const start = () =>
      startServer({ env: { DATA_DIR: dataDir, DATABASE_URL: database.url('postgres'), TOKEN_SECRET }, onLog });
    let server: Server = await start();
    return {
      population,
      server: () => server,
      address,
      async crash() {
        const pid = Number(readFileSync(disk.path('data', 'postmaster.pid'), 'utf8').split('\n')[0]);
        server.process.kill('SIGSTOP');
        const family = familyOf(pid);
        for (const member of family) process.kill(member, 'SIGSTOP');
        disk.freeze();
        for (const member of family) process.kill(member, 'SIGKILL');
        await Promise.all([database.halt('SIGKILL'), server.kill()]);
      },
      async restart() {
        disk.replace();
        database = await startDatabase();
        server = await start();
      },
      async remove() {
        await server.kill();
        await database.stop();
        disk.remove();
        await origin.stop();
        rmSync(dataDir, { recursive: true, force: true });
      },
    };
  };
}

interface Setting {
  on: string;
  open: (rounds: number) => OpenMachine;
  openControl: (rounds: number) => OpenMachine;
  broken: string;
}

const SETTINGS: readonly Setting[] = [
  {
    on: 'SQLite',
    open: (rounds) => openOnSqlite(rounds),
    openControl: (rounds) => openOnSqlite(rounds, 'commits-unsynced'),
    broken: 'synchronous=NORMAL',
  },
  {
    on: 'PostgreSQL',
    open: (rounds) => openOnPostgres(rounds),
    // With 0.2 s, the default, a slow machine has written most of the log when the cut comes, with 1 s sometimes all.
    openControl: (rounds) =>
      openOnPostgres(rounds, [
        'alter system set synchronous_commit = off',
        "alter system set wal_writer_delay = '10s'",
      ]),
    broken: 'synchronous_commit=off',
  },
];

async function cut({ on, open, openControl, broken }: Setting, { rounds, say }: Trial): Promise<Finding> {
  const times = rounds(CUTS);
  const tally = await crashRounds(open(times), times, WRITES_A_CUT, (line) => say(`${on}: ${line}`));
  const controlTimes = Math.min(times, CONTROL_CUTS);
  const control = await crashRounds(openControl(controlTimes), controlTimes, WRITES_A_CUT, () => {});
  return {
    on,
    promised: `${CUTS} cuts, 0 lost`,
    measured: describe(tally),
    isKept: tally.lost === 0 && tally.faults.length === 0,
    control: `${broken}: ${describe(control)}`,
    isControlSeen: control.roundsWithLoss >= LOSING_SHARE * control.roundsWithWrites,
  };
}

export const powerCuts: Promised = {
  id: 'R2',
  promise: 'acknowledged writes survive a power cut',
  needs: cannotMount,
  async attempt(trial) {
    const findings: Finding[] = [];
    for (const setting of SETTINGS) findings.push(await cut(setting, trial));
    return findings;
  },
};
