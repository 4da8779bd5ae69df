import { readdirSync, statSync } from 'node:fs';
import os from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { reviewCalls } from '../../src/contract/reviews.ts';
import { findDatabaseFaults } from '../database-faults.ts';
import { send } from '../http.ts';
import { createLedger } from '../ledger.ts';
import { openSqlitePlace } from '../places.ts';
import { inTurn, type Population, populate } from '../population.ts';
import { count, describeFaults, type Promised, percentile } from '../promise.ts';
import { type Fault, memoryOf, startServer } from '../server.ts';
import { createWriters } from '../writers.ts';

const SAMPLE_EVERY_MS = 2_000;
const MINUTE = 60_000;
/** Caches fill and the code is compiled in the first part of a run; only the rest is judged. */
const WARM_SHARE = 0.4;
/** So large a share of the reads at the beginning is compared with the same share at the end. */
const COMPARED_SHARE = 1 / 6;
const SLOWER_MAX = 1.5;
const SLOPE_MAX_MB = 1;
const FILES_MORE_MAX = 8;
const LOG_MAX_MB = 64;
const READ_EVERY_MS = 5;
/** The pause of each writer: the trial looks for leaks, and half an hour at full speed would fill the disk. */
const PAUSE_MS = 20;
/** A cache so small that it is full within minutes: one of 64 MB grew for 25 minutes, which is no leak. */
const CACHE_MB = '8';
const POSTS_A_MINUTE_MAX = 12_000;
const CONTROL_MS = 20_000;
const MB = 1024 * 1024;

interface Sample {
  readonly minute: number;
  readonly memory: number;
  readonly files: number;
  readonly log: number;
}

function sample(pid: number, file: string, began: number): Sample {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  return {
    minute: (performance.now() - began) / MINUTE,
    memory: memoryOf(pid, 'RssAnon'),
    files: readdirSync(`/proc/${pid}/fd`).length,
    log: (log?.size ?? 0) / MB,
  };
}

/** Megabytes a minute, by least squares. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (of: (one: Sample) => number) => samples.reduce((sum, one) => sum + of(one), 0) / samples.length;
  const [minute, memory] = [mean((one) => one.minute), mean((one) => one.memory)];
  const [above, below] = [
    mean((one) => (one.minute - minute) * (one.memory - memory)),
    mean((one) => (one.minute - minute) ** 2),
  ];
  return above / below;
}

/** @returns the milliseconds of each read, in order */
async function read(url: string, { targets }: Population, stop: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!stop.aborted) {
    const target = inTurn(targets, times.length);
    const began = performance.now();
    const { status } = await send(url, reviewCalls(target.category).list, { params: { id: target.id } });
    if (status !== 200 && status !== 503) throw new Error(`A read was answered ${status}.`);
    times.push(performance.now() - began);
    await setTimeout(READ_EVERY_MS);
  }
  return times;
}

async function load(milliseconds: number, say: (line: string) => void, fault?: Fault) {
  using place = openSqlitePlace();
  const targets = Math.ceil((milliseconds / MINUTE) * (POSTS_A_MINUTE_MAX / 100));
  const population = await populate(place.address, { targets, accounts: 10 });
  const ledger = createLedger();
  const writers = createWriters(population, ledger);
  const env = { ...place.env, CACHE_MB };
  const server = await startServer({ env, fault, onLog: writers.onLog });
  await writers.prepare(server.url);
  const stop = AbortSignal.timeout(milliseconds);
  const working = Promise.all([writers.run(server.url, stop, PAUSE_MS), read(server.url, population, stop)]);
  const began = performance.now();
  const samples: Sample[] = [];
  while (!stop.aborted) {
    await Promise.race([setTimeout(SAMPLE_EVERY_MS), working]);
    samples.push(sample(server.pid, place.address.sqlite, began));
    const { minute, memory, files, log } = samples.at(-1) as Sample;
    if (samples.length % 30 === 0)
      say(`${minute.toFixed(1)} min: ${memory.toFixed(0)} MB, ${files} files, log ${log.toFixed(1)} MB`);
  }
  const [, reads] = await working;
  const faults = [...(await findDatabaseFaults(place.address)), ...server.errors.map((line) => JSON.stringify(line))];
  await server.kill();
  const warm = samples.slice(Math.ceil(samples.length * WARM_SHARE));
  const most = (of: (one: Sample) => number, among: readonly Sample[]) => Math.max(...among.map(of));
  return {
    slope: slopeOf(warm),
    filesMore: most((one) => one.files, warm) - most((one) => one.files, samples.slice(0, -warm.length)),
    log: most((one) => one.log, samples),
    memory: most((one) => one.memory, samples),
    writes: ledger.acknowledged,
    reads: reads.length,
    firstP99: percentile(reads.slice(0, Math.ceil(reads.length * COMPARED_SHARE)), 0.99),
    lastP99: percentile(reads.slice(-Math.ceil(reads.length * COMPARED_SHARE)), 0.99),
    faults,
  };
}

type Loaded = Awaited<ReturnType<typeof load>>;

const isFlat = ({ slope, filesMore, log, firstP99, lastP99 }: Loaded) =>
  slope < SLOPE_MAX_MB && filesMore <= FILES_MORE_MAX && log < LOG_MAX_MB && lastP99 <= firstP99 * SLOWER_MAX;

const describe = ({ slope, filesMore, log, memory, writes, reads, firstP99, lastP99 }: Loaded) =>
  [
    `${count(writes, 'writes')} and ${count(reads, 'reads')}`,
    `memory ${slope >= 0 ? '+' : ''}${slope.toFixed(2)} MB a minute, at most ${memory.toFixed(0)} MB`,
    `${filesMore >= 0 ? '+' : ''}${filesMore} open files, log at most ${log.toFixed(1)} MB`,
    `p99 of reads ${firstP99.toFixed(0)} ms in the first sixth, ${lastP99.toFixed(0)} ms in the last`,
  ].join('; ');

export const slowDeath: Promised = {
  id: 'R15',
  promise: 'hours of work leave it as it was',
  needs: () => (os.type() === 'Linux' ? undefined : '/proc of Linux'),
  async attempt({ options: { minutes }, say }) {
    const result = await load(minutes * MINUTE, say);
    const control = await load(CONTROL_MS, () => {}, 'leaks');
    return [
      {
        promised: `30 min: memory below +${SLOPE_MAX_MB} MB a minute once warm, open files flat, log below ${LOG_MAX_MB} MB, p99 of the last sixth at most ${SLOWER_MAX} times the first's`,
        measured: `${count(minutes, 'min')}: ${describe(result)}; ${describeFaults(result.faults, 'integrity ok')}`,
        isKept: isFlat(result) && result.faults.length === 0,
        control: `a leak of 20 kB and a file every 20 ms: ${describe(control)}`,
        isControlSeen: !isFlat(control),
      },
    ];
  },
};
