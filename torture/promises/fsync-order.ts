import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { reviewPost, sendPatiently } from '../http.ts';
import { openSqlitePlace } from '../places.ts';
import { pairsOf, populate, REVIEWERS, takeNext } from '../population.ts';
import { count, type Promised } from '../promise.ts';
import { type Fault, startServer } from '../server.ts';

const POSTS = 100;
const LOOK_AGAIN_AFTER_MS = 20;

const CALLS = 'trace=pwrite64,pwritev,fsync,fdatasync,write,writev,sendto,sendmsg';

/** -D: the product stays the process that was started, and strace goes with it; -y: files are named. */
const strace = (file: string) => ['strace', '-D', '-f', '-y', '-s', '16', '-e', CALLS, '-o', file];

/** The calls of a trace in the order in which they ended: what another thread interrupted stands on two lines. */
function* readCalls(trace: string): Generator<string> {
  const unfinished = new Map<string, string>();
  for (const line of trace.split('\n')) {
    const [, pid = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (rest.endsWith('<unfinished ...>')) unfinished.set(pid, rest.replace('<unfinished ...>', ''));
    else if (rest.startsWith('<...')) yield `${unfinished.get(pid) ?? ''}${rest.replace(/^<\.\.\. \w+ resumed>/, '')}`;
    else yield rest;
  }
}

interface Order {
  /** Answers 201. */
  answered: number;
  /** Of them, those answered after a write to the log and its sync. */
  synced: number;
}

function findOrder(trace: string): Order {
  const order: Order = { answered: 0, synced: 0 };
  let log: 'untouched' | 'written' | 'synced' = 'untouched';
  for (const call of readCalls(trace)) {
    if (/^pwritev?(64)?\(\d+<[^>]*-wal>/.test(call)) log = 'written';
    else if (/^f(data)?sync\(\d+<[^>]*-wal>\) += 0/.test(call) && log === 'written') log = 'synced';
    else if (/"HTTP\/1\.1 201/.test(call)) {
      order.answered += 1;
      if (log === 'synced') order.synced += 1;
      log = 'untouched';
    }
  }
  return order;
}

/** Posts one review after the other to a server whose system calls are written down. */
async function trace(posts: number, fault?: Fault): Promise<Order> {
  using place = openSqlitePlace();
  const supplies = { targets: Math.ceil(posts / REVIEWERS), accounts: 1 };
  const pairs = pairsOf(await populate(place.address, supplies));
  const file = path.join(place.dataDir, 'trace');
  const server = await startServer({ env: place.env, under: strace(file), fault });
  for (let index = 0; index < posts; index += 1) {
    const post = reviewPost(takeNext(pairs), { rating: 4, review: 'As it should be.' });
    const { status, text } = await sendPatiently(server.url, ...post);
    if (status !== 201) throw new Error(`A post was answered ${status}: ${text}`);
  }
  server.process.kill('SIGTERM');
  await server.exit;
  const ended = new RegExp(`^${server.pid} \\+\\+\\+ (exited|killed)`, 'm');
  while (!ended.test(readFileSync(file, 'utf8'))) await setTimeout(LOOK_AGAIN_AFTER_MS);
  return findOrder(readFileSync(file, 'utf8'));
}

const describe = ({ answered, synced }: Order) =>
  `${count(answered, 'posts')}, ${synced} with write to the log, fsync, answer in this order`;

export const fsyncOrder: Promised = {
  id: 'R3',
  promise: 'a post is on the disk before it is answered',
  needs: () =>
    spawnSync('strace', ['-V']).error ? 'strace, which is not installed: "apt-get install strace"' : undefined,
  async attempt({ rounds }) {
    const posts = rounds(POSTS);
    const order = await trace(posts);
    const control = await trace(posts, 'commits-unsynced');
    return [
      {
        promised: `${POSTS} of ${POSTS}`,
        measured: describe(order),
        isKept: order.answered === posts && order.synced === posts,
        control: `synchronous=NORMAL: ${describe(control)}`,
        isControlSeen: control.answered === posts && control.synced === 0,
      },
    ];
  },
};
