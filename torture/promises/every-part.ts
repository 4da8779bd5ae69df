import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { hasNginx } from '../../tests/support/nginx.ts';
import { hasPgbouncer } from '../../tests/support/pgbouncer.ts';
import { findDatabaseFaults } from '../database-faults.ts';
import { count, describeFaults, type Promised, seconds } from '../promise.ts';
import { readBack } from '../read-back.ts';
import { type Load, RATE, type RequestSummary, startLoad, summarize } from '../steady-load.ts';
import { INSTALLED, startWholeSite, type WholeSite } from '../whole-site.ts';

/** How long nothing is broken: before, between and after the crashes. */
const LULL_MS = 4_000;
/** How long a supervisor takes to start a part again. */
const DOWN_MS = 3_000;
/** The replica is down for longer than a statement may take. */
const REPLICA_DOWN_MS = 15_000;
/** How long after the restart of a part, or the promotion of the replica, requests may still fail. */
const BACK_WITHIN_MS = 7_000;

interface Crash {
  readonly name: string;
  readonly downMs: number;
  readonly posts: RequestSummary;
  readonly reads: RequestSummary;
}

interface Outcome {
  readonly crashes: readonly Crash[];
  readonly acknowledged: number;
  readonly lost: number;
  readonly faults: readonly string[];
}

/** Does something to the site. @returns what users saw meanwhile, and for a while after it should have recovered */
async function watch(load: Load, name: string, downMs: number, act: () => Promise<void>): Promise<Crash> {
  const from = performance.now();
  await act();
  await setTimeout(BACK_WITHIN_MS + LULL_MS);
  const to = performance.now();
  return { name, downMs, posts: summarize(load, 'post', from, to), reads: summarize(load, 'read', from, to) };
}

async function crashEach(site: WholeSite, load: Load, say: (line: string) => void): Promise<Crash[]> {
  const crashes: Crash[] = [];
  for (const { name, crash, restart } of site.parts) {
    const downMs = name === 'replica' ? REPLICA_DOWN_MS : DOWN_MS;
    const seen = await watch(load, name, downMs, async () => {
      await crash();
      await setTimeout(downMs);
      await restart();
    });
    say(describeCrash(seen));
    crashes.push(seen);
  }
  return crashes;
}

async function attempt(isSynchronous: boolean, say: (line: string) => void): Promise<Outcome> {
  await using site = await startWholeSite(isSynchronous);
  const load = startLoad(site);
  await setTimeout(LULL_MS);
  const crashes = isSynchronous ? await crashEach(site, load, say) : [];
  if (!isSynchronous) {
    await site.severReplica();
    await setTimeout(LULL_MS);
  }
  const promotion = await watch(load, 'primary for good', DOWN_MS, async () => {
    await site.losePrimary();
    await setTimeout(DOWN_MS);
    await site.failOver();
  });
  say(describeCrash(promotion));
  await load.end();
  const { acknowledged } = load.ledger;
  const { lost, faults } = await readBack(site.productUrl(), load.ledger, 'all');
  const wrong = [...load.faults, ...faults, ...(await findDatabaseFaults({ postgres: site.databaseUrl() }))];
  const logged = site.errors().map((line) => `logged at error: ${JSON.stringify(line)}`);
  for (const fault of new Set([...wrong, ...logged])) say(fault);
  return { crashes: [...crashes, promotion], acknowledged, lost, faults: [...wrong, ...logged] };
}

function describeRequests(what: string, { gapMs, refused, broken, marked, slowestMs }: RequestSummary): string {
  const bad = [
    ...(refused > 0 ? [`${refused} 503`] : []),
    ...(broken > 0 ? [`${broken} broken`] : []),
    ...(marked > 0 ? [`${marked} marked as stale`] : []),
  ];
  return `${what} ${seconds(gapMs)} without (${bad.join(', ') || 'none refused'}; slowest ${seconds(slowestMs)})`;
}

const describeCrash = ({ name, downMs, posts, reads }: Crash) =>
  `${name}, down for ${seconds(downMs)}: ${describeRequests('posts', posts)}, ${describeRequests('reads', reads)}`;

function describe({ crashes, acknowledged, lost, faults }: Outcome): string {
  const rest = describeFaults(faults, 'nothing wrong or stale');
  return `${count(acknowledged, 'reviews')} acknowledged, ${lost} lost, ${rest}; ${crashes.map(describeCrash).join('; ')}`;
}

const isBack = ({ downMs, posts, reads }: Crash) => Math.max(posts.gapMs, reads.gapMs) <= downMs + BACK_WITHIN_MS;

export const everyPart: Promised = {
  id: 'R23',
  promise: 'every part of several machines may fail, and the replica be promoted',
  needs() {
    const missing = [
      ...(hasNginx ? [] : ['nginx']),
      ...(hasPgbouncer ? [] : ['pgbouncer']),
      ...(existsSync(INSTALLED) ? [] : [`PostgreSQL in ${INSTALLED}`]),
    ];
    return missing.length > 0 ? `${missing.join(', ')} as Debian packages them` : undefined;
  },
  async attempt({ say }) {
    const result = await attempt(true, say);
    const control = await attempt(false, say);
    return [
      {
        promised:
          `${RATE} through nginx, two processes, pgbouncer in transaction mode, primary and a synchronous replica: each ` +
          `killed in turn, the primary then for good and the replica promoted: 0 acknowledged lost, nothing wrong or ` +
          `unmarked stale, back within ${BACK_WITHIN_MS / 1_000} s of the restart`,
        measured: describe(result),
        isKept: result.lost === 0 && result.faults.length === 0 && result.crashes.every(isBack),
        control: `an asynchronous replica that receives nothing, promoted: ${describe(control)}`,
        isControlSeen: control.lost > 0,
      },
    ];
  },
};
