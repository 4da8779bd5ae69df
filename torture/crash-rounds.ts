import { setTimeout } from 'node:timers/promises';
import type { DatabaseAddress } from '../src/server/database/open.ts';
import { findDatabaseFaults } from './database-faults.ts';
import { createLedger } from './ledger.ts';
import type { Population } from './population.ts';
import { count, describeFaults, randomBetween } from './promise.ts';
import { readBack } from './read-back.ts';
import type { Server, Start } from './server.ts';
import { timeUntil } from './waiting.ts';
import { createWriters } from './writers.ts';

/** How long the writers write on after the writes that a round must have, before a crash. */
const CRASH_AFTER_MS = { min: 50, max: 300 };
const WAIT_FOR_WRITES_MS = 60_000;
const ASK_EVERY_MS = 5;
const SAY_EVERY = 10;

/** More than a round can write: entries for its reviews, accounts for its resets. */
const TARGETS_A_ROUND = 6;
const ACCOUNTS_A_ROUND = 10;

/** What `rounds` crashes need in the database. */
export const suppliesFor = (rounds: number) => ({
  targets: rounds * TARGETS_A_ROUND,
  accounts: rounds * ACCOUNTS_A_ROUND + ACCOUNTS_A_ROUND,
});

/** Something that runs the product and crashes. */
export interface Machine {
  readonly population: Population;
  server(): Server;
  address(): DatabaseAddress;
  /** Ends everything at once, as this kind of crash does. */
  crash(): Promise<void>;
  /** Starts it again on what the crash has left. */
  restart(): Promise<void>;
  remove(): Promise<void>;
}

export type OpenMachine = (onLog: NonNullable<Start['onLog']>) => Promise<Machine>;

interface Tally {
  rounds: number;
  acknowledged: number;
  lost: number;
  /** Rounds in which a write was acknowledged, so that one could be lost. */
  roundsWithWrites: number;
  roundsWithLoss: number;
  readonly faults: string[];
}

/**
 * Crashes a machine again and again under four writers. Reads back what is new each time, and all at the end.
 * @param writesARound how many are acknowledged before each crash, however slow the machine is
 */
export async function crashRounds(
  open: OpenMachine,
  rounds: number,
  writesARound: number,
  say: (line: string) => void,
): Promise<Tally> {
  const ledger = createLedger();
  const tally: Tally = { rounds: 0, acknowledged: 0, lost: 0, roundsWithWrites: 0, roundsWithLoss: 0, faults: [] };
  const listeners: NonNullable<Start['onLog']>[] = [];
  const machine = await open((line) => {
    for (const listen of listeners) listen(line);
  });
  const writers = createWriters(machine.population, ledger);
  listeners.push(writers.onLog);

  async function compare(extent: 'all' | 'fresh'): Promise<void> {
    const { lost: unread, faults } = await readBack(machine.server().url, ledger, extent);
    const lost = unread + ledger.lostCodes;
    ledger.lostCodes = 0;
    tally.lost += lost;
    const errors = machine.server().errors.map((line) => `logged at error: ${JSON.stringify(line)}`);
    tally.faults.push(...faults, ...errors, ...(await findDatabaseFaults(machine.address())));
  }

  try {
    while (tally.rounds < rounds) {
      const { url } = machine.server();
      await writers.prepare(url);
      const stop = new AbortController();
      const enough = ledger.acknowledged + writesARound;
      const writing = writers.run(url, stop.signal);
      const hasEnough = timeUntil(() => ledger.acknowledged >= enough, WAIT_FOR_WRITES_MS, ASK_EVERY_MS);
      const hasWritten = hasEnough.then(() => setTimeout(randomBetween(CRASH_AFTER_MS.min, CRASH_AFTER_MS.max)));
      // An error of a writer ends the trial at any time.
      await Promise.race([hasWritten, writing]);
      await machine.crash();
      stop.abort();
      await writing;
      await machine.restart();
      tally.rounds += 1;
      const lostBefore = tally.lost;
      await compare('fresh');
      if (tally.lost > lostBefore) tally.roundsWithLoss += 1;
      if (ledger.acknowledged > tally.acknowledged) tally.roundsWithWrites += 1;
      tally.acknowledged = ledger.acknowledged;
      if (tally.rounds % SAY_EVERY === 0) say(describe(tally));
    }
    await compare('all');
    return tally;
  } finally {
    await machine.remove();
  }
}

export function describe({ rounds, acknowledged, lost, roundsWithWrites, roundsWithLoss, faults }: Tally): string {
  const losses =
    lost === 0
      ? '0 lost'
      : `${count(lost, 'lost')} in ${roundsWithLoss} of ${count(roundsWithWrites, 'rounds')} with writes`;
  const rest = describeFaults(faults, 'integrity ok, counters = rows');
  return `${count(rounds, 'crashes')}, ${count(acknowledged, 'acknowledged')}, ${losses}; ${rest}`;
}
