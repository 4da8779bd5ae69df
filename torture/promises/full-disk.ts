import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as accounts from '../../src/contract/accounts.ts';
import { reviewCalls } from '../../src/contract/reviews.ts';
import { findDatabaseFaults } from '../database-faults.ts';
import { cannotMount, fillDisk, mountSmall } from '../disks.ts';
import { ask, openSocket, reviewPost, send } from '../http.ts';
import { listMails } from '../mails.ts';
import { openSqlitePlace, sqliteIn } from '../places.ts';
import { type Population, pairsOf, populate, takeNext } from '../population.ts';
import { count, describeFaults, type Promised } from '../promise.ts';
import { runCommand, type Server, type Start, startServer } from '../server.ts';
import { timeUntil } from '../waiting.ts';

const DISK_MB = 16;
const ROOMY_MB = 48;
const ROUNDS = 5;
const POSTS_MAX = 1_000;
/** A disk smaller than a log may grow, and more posts than fit on it. */
const TINY_MB = 8;
const TINY_POSTS_MAX = 2_500;
const FREED_MB = 2;
/** Of posts with 5 kB each, which take several times as much in the log. */
const SERVED_MIN = 100;
const BACK_WITHIN_MS = 5_000;
const MAIL_WITHIN_MS = 60_000;
const ASK_EVERY_MS = 50;
const FILES_MAX = 64;
const SOCKETS = 200;
/** A user who cannot open root's files. */
const NOBODY = 65_534;
const REVIEW = 'x'.repeat(5_000);

interface Tally {
  refused: number;
  slowestBackMs: number;
  /** A sentence for everything that was not as promised. */
  readonly faults: string[];
}

function expectThat(isSo: boolean, { faults }: Tally, otherwise: string): void {
  if (!isSo) faults.push(otherwise);
}

/** A product that can be written to. */
interface Product {
  readonly dataDir: string;
  readonly server: Server;
  readonly population: Population;
  /** Posts a long review of an entry that its author has not reviewed. */
  post(): ReturnType<typeof send>;
}

/** Starts a product in a folder, lets something be done to it, and ends it. @throws when it logged an error */
async function withProduct(dataDir: string, start: Start, act: (product: Product) => Promise<void>): Promise<void> {
  const { address, env } = sqliteIn(dataDir);
  const population = await populate(address, { targets: 30, accounts: 2 });
  const pairs = pairsOf(population);
  const server = await startServer({ ...start, env });
  const post = () => send(server.url, ...reviewPost(takeNext(pairs), { rating: 5, review: REVIEW }));
  try {
    await act({ dataDir, server, population, post });
  } finally {
    await server.kill();
  }
  if (server.errors.length > 0) throw new Error(`Logged at error: ${JSON.stringify(server.errors[0])}`);
}

async function withProductInNewFolder(start: Start, act: (product: Product) => Promise<void>): Promise<void> {
  using place = openSqlitePlace();
  await withProduct(place.dataDir, start, act);
}

type Disk = ReturnType<typeof mountSmall>;

async function onSmallDisk(act: (product: Product, disk: Disk) => Promise<void>, megabytes = DISK_MB): Promise<void> {
  using disk = mountSmall(megabytes);
  const dataDir = path.join(disk.folder, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  await withProduct(dataDir, {}, (product) => act(product, disk));
}

/** How long it takes until the product is ready and accepts a post again. */
function timeBack({ server, post }: Product): Promise<number> {
  const isBack = async () => {
    // A connection that is closed instead of answered is one more thing that is not normal yet.
    const ready = await ask(server.url, 'GET', '/readyz').catch(() => undefined);
    return ready?.status === 200 && (await post().catch(() => undefined))?.status === 201;
  };
  return timeUntil(isBack, 4 * BACK_WITHIN_MS, ASK_EVERY_MS);
}

/** What is refused while the disk is full, what continues, and how it recovers. */
async function fillUp(product: Product, disk: Disk, tally: Tally, isFilled: boolean): Promise<void> {
  const { dataDir, server, population, post } = product;
  if (isFilled) fillDisk(disk.folder);
  // Small writes still get in while the log has room from before.
  let refusal = await post();
  for (let tries = 0; isFilled && tries < POSTS_MAX && refusal.status === 201; tries += 1) refusal = await post();
  if (refusal.status === 503) tally.refused += 1;
  expectThat(refusal.status === 503, tally, `a post was answered ${refusal.status}`);
  expectThat(refusal.headers.has('retry-after'), tally, 'a refusal named no time');
  expectThat(Object.keys(refusal.body ?? {}).join() === 'error', tally, `a refusal said ${refusal.text.slice(0, 80)}`);
  const [ready, up] = [await ask(server.url, 'GET', '/readyz'), await ask(server.url, 'GET', '/healthz')];
  expectThat(ready.status === 503, tally, `/readyz said ${ready.status}`);
  expectThat(up.status === 200, tally, `/healthz said ${up.status}`);
  for (const { id, category } of population.targets.slice(0, 10)) {
    const { status } = await send(server.url, reviewCalls(category).list, { params: { id } });
    expectThat(status === 200, tally, `a read was answered ${status}`);
  }
  const body = { username: 'late-comer', email: 'late-comer@example.org', password: 'no room at the inn' };
  const { status } = await send(server.url, accounts.signup, { body });
  expectThat(status === 503 || status === 201, tally, `a sign-up was answered ${status}`);
  disk.resize(ROOMY_MB);
  const backIn = await timeBack(product);
  tally.slowestBackMs = Math.max(tally.slowestBackMs, backIn);
  expectThat(backIn <= BACK_WITHIN_MS, tally, `it was back after ${backIn} ms`);
  tally.faults.push(...(await findDatabaseFaults(sqliteIn(dataDir).address)));
}

/** Room that is freed on a full disk serves posts, not the log. @returns how many posts it has served */
async function freeSome(product: Product, disk: Disk, tally: Tally): Promise<number> {
  const postUntilFull = async () => {
    for (let posts = 0; posts < TINY_POSTS_MAX; posts += 1) if ((await product.post()).status !== 201) return posts;
    return TINY_POSTS_MAX;
  };
  const before = await postUntilFull();
  expectThat(before < TINY_POSTS_MAX, tally, `a disk of ${TINY_MB} MB took ${before} posts`);
  disk.resize(TINY_MB + FREED_MB);
  expectThat((await timeBack(product)) <= BACK_WITHIN_MS, tally, 'room that was freed was not noticed');
  const served = await postUntilFull();
  expectThat(served >= SERVED_MIN, tally, `${FREED_MB} MB that were freed served ${served} posts`);
  return served;
}

/** A backup that finds the disk full is refused in one line, and the backup before it stays as it was. */
async function backUpOntoFull({ dataDir }: Product, disk: Disk, tally: Tally): Promise<void> {
  const file = path.join(disk.folder, 'backup.sqlite');
  const env = { DATA_DIR: dataDir };
  const first = await runCommand('backup', [file], { env });
  expectThat(first.code === 0, tally, `a backup with room ended with ${first.code}: ${first.stderr}`);
  const before = readFileSync(file);
  fillDisk(disk.folder);
  const { code, stderr } = await runCommand('backup', [file, '--force'], { env });
  expectThat(
    code === 1 && stderr.trim().split('\n').length === 1,
    tally,
    `a full backup ended with ${code}: ${stderr}`,
  );
  expectThat(readFileSync(file).equals(before), tally, 'a backup without room has changed the one before');
  expectThat(!existsSync(`${file}.partial`), tally, 'a backup without room has left a part');
}

/** A mail whose file finds no room is written when there is room again. */
async function mailOntoFull({ dataDir, server, population }: Product, tally: Tally): Promise<void> {
  using small = mountSmall(1, path.join(dataDir, 'mail'));
  const countMails = () => listMails(dataDir).length;
  const ballast = fillDisk(small.folder);
  const body = { email: population.accounts[0].email };
  const { status } = await send(server.url, accounts.forgotPassword, { body });
  expectThat(status === 200, tally, `a passcode was answered ${status}`);
  await setTimeout(10 * ASK_EVERY_MS);
  expectThat(countMails() === 0, tally, 'a mail was written onto a full disk');
  rmSync(ballast);
  await timeUntil(countMails, MAIL_WITHIN_MS, ASK_EVERY_MS);
  expectThat(countMails() === 1, tally, `${countMails()} mails were written once there was room`);
}

/** A folder that may not be written ends the start in one line. */
async function startUnwritable(tally: Tally): Promise<void> {
  using disk = mountSmall(DISK_MB);
  chmodSync(disk.folder, 0o755);
  const under = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  const said = await startServer({ env: { DATA_DIR: path.join(disk.folder, 'data') }, under }).then(
    async (server) => {
      await server.kill();
      return 'nothing';
    },
    (error: Error) => error.message,
  );
  expectThat(/listened: DATA_DIR [^\n]*$/.test(said), tally, `an unwritable folder was answered: ${said}`);
}

/** A product with more connections than it may open files survives, and recovers when they are closed. */
async function exhaustFiles(product: Product, tally: Tally): Promise<void> {
  const sockets = Array.from({ length: SOCKETS }, () => openSocket(product.server.url));
  await setTimeout(10 * ASK_EVERY_MS);
  const answer = await product.post().catch(() => undefined);
  const status = answer?.status ?? 'closed';
  expectThat([201, 503, 'closed'].includes(status), tally, `among too many connections a post was answered ${status}`);
  for (const socket of sockets) socket.destroy();
  const backIn = await timeBack(product);
  expectThat(backIn <= BACK_WITHIN_MS, tally, `it was back ${backIn} ms after too many connections`);
}

export const fullDisk: Promised = {
  id: 'R11',
  promise: 'a full disk refuses writes and nothing else',
  needs: cannotMount,
  async attempt({ rounds, say }) {
    const times = rounds(ROUNDS);
    const tally: Tally = { refused: 0, slowestBackMs: 0, faults: [] };
    for (let round = 0; round < times; round += 1) {
      await onSmallDisk((product, disk) => fillUp(product, disk, tally, true));
    }
    say(`disk: ${JSON.stringify(tally)}`);
    let served = 0;
    await onSmallDisk(async (product, disk) => {
      served = await freeSome(product, disk, tally);
    }, TINY_MB);
    await onSmallDisk((product, disk) => backUpOntoFull(product, disk, tally));
    await withProductInNewFolder({}, (product) => mailOntoFull(product, tally));
    await startUnwritable(tally);
    const under = ['sh', '-c', `ulimit -n ${FILES_MAX}; exec "$0" "$@"`];
    await withProductInNewFolder({ under }, (product) => exhaustFiles(product, tally));
    const control: Tally = { refused: 0, slowestBackMs: 0, faults: [] };
    await onSmallDisk((product, disk) => fillUp(product, disk, control, false));
    const faults = describeFaults(tally.faults, 'integrity ok');
    return [
      {
        promised:
          `writes 503, reads 200, /readyz 503, alive, normal at most 5 s after there is room, of which ${FREED_MB} MB ` +
          `serve at least ${SERVED_MIN} posts of 5 kB; also during a backup, for a mail's file, in an unwritable folder, ` +
          `with ${FILES_MAX} open files`,
        measured:
          `${count(times, 'full disks')} of ${DISK_MB} MB, ${tally.refused} refused, normal after at most ` +
          `${Math.round(tally.slowestBackMs)} ms; ${FREED_MB} MB served ${served} posts; backup, mail, folder, files 1 each; ${faults}`,
        isKept: tally.refused === times && tally.faults.length === 0,
        control: `a disk that is not filled: ${control.refused} refused, ${count(control.faults.length, 'faults')}`,
        isControlSeen: control.refused === 0 && control.faults.length > 0,
      },
    ];
  },
};
