// npm run torture [-- --only R1,R2 --rounds N --minutes N]: makes the failures happen that the product promises to
// survive, checks what is left, and writes the figures into docs/reliability.md. See options.ts and promises/.
import { readCommandLine, runTool, say } from '../bin/command-line.ts';
import { OPTION_TEXTS, type Options, readOptions } from './options.ts';
import type { Promised } from './promise.ts';
import { backups } from './promises/backups.ts';
import { busyDatabase } from './promises/busy-database.ts';
import { cacheTruth } from './promises/cache-truth.ts';
import { campus } from './promises/campus.ts';
import { clocksAndCrashes } from './promises/clocks-and-crashes.ts';
import { databaseGone } from './promises/database-gone.ts';
import { everyPart } from './promises/every-part.ts';
import { fsyncOrder } from './promises/fsync-order.ts';
import { fullDisk } from './promises/full-disk.ts';
import { gracefulStop } from './promises/graceful-stop.ts';
import { heldHides } from './promises/held-hides.ts';
import { kills } from './promises/kills.ts';
import { mailFaults } from './promises/mail-faults.ts';
import { merges } from './promises/merges.ts';
import { migrations } from './promises/migrations.ts';
import { modelFaults } from './promises/model-faults.ts';
import { overload } from './promises/overload.ts';
import { powerCuts } from './promises/power-cuts.ts';
import { recovery } from './promises/recovery.ts';
import { redTests } from './promises/red-tests.ts';
import { requestBodies } from './promises/request-bodies.ts';
import { rollingUpgrades } from './promises/rolling-upgrades.ts';
import { slowDeath } from './promises/slow-death.ts';
import { slowPeers } from './promises/slow-peers.ts';
import { keepFindings } from './report.ts';

/** In the order of their numbers. */
const PROMISES: readonly Promised[] = [
  ...[kills, powerCuts, fsyncOrder, recovery, backups, gracefulStop, overload, mailFaults, modelFaults],
  ...[busyDatabase, fullDisk, databaseGone, migrations, cacheTruth, slowDeath, clocksAndCrashes, slowPeers],
  ...[requestBodies, merges, rollingUpgrades, campus, heldHides, everyPart, redTests],
];

function commandOf({ rounds, minutes }: Options, id: string): string {
  const flags = [...(rounds > 0 ? [`--rounds ${rounds}`] : []), ...(id === 'R15' ? [`--minutes ${minutes}`] : [])];
  return ['npm run torture -- --only', id, ...flags].join(' ');
}

/** @returns whether the promise was kept and its control seen */
async function attempt(promised: Promised, options: Options): Promise<boolean> {
  const { id, promise } = promised;
  say(`${id}: ${promise}`);
  const missing = promised.needs?.();
  if (missing) {
    say(`  SKIPPED: it needs ${missing}.`);
    return true;
  }
  const findings = await promised.attempt({
    options,
    rounds: (count) => options.rounds || count,
    say: (line) => say(`  ${line}`),
  });
  for (const row of keepFindings(promised, findings, commandOf(options, id))) process.stdout.write(`${row}\n`);
  return findings.every(({ isKept, isControlSeen }) => isKept && isControlSeen);
}

const options = readCommandLine('npm run torture', OPTION_TEXTS, (args) =>
  readOptions(
    args,
    PROMISES.map(({ id }) => id),
  ),
);
await runTool(async () => {
  const { only } = options;
  for (const promised of PROMISES) {
    if (only.length > 0 && !only.includes(promised.id)) continue;
    if (!(await attempt(promised, options))) process.exitCode = 1;
  }
});
