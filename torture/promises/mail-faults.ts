import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import * as accounts from '../../src/contract/accounts.ts';
import { MAIL_FAULTS, type MailFault, startFaultyMail } from '../../tests/support/mail-faults.ts';
import { type MailServer, startMailServer } from '../../tests/support/mail-server.ts';
import { send, sendPatiently } from '../http.ts';
import { openSqlitePlace } from '../places.ts';
import { count, type Promised, randomBetween, seconds } from '../promise.ts';
import { type Fault, type Server, startServer } from '../server.ts';
import { timeUntil } from '../waiting.ts';

/** How many people sign up before the kill, and again after it, for each fault. */
const SIGNUPS = 10;
const ANSWER_WITHIN_MS = 1_000;
const ARRIVES_WITHIN_MS = 60_000;
/** The longest of the product's timeouts for a mail server, and a margin. */
const FAILS_WITHIN_MS = 35_000;
const LOOK_EVERY_MS = 100;
const MAILS = 1_000;
const KILLS = 3;
/** Concurrent sign-ups during the kills, so that mails are always in flight. */
const WRITERS = 4;
/** The longest time from a sign-up to a kill, which can hit any moment of the hand-over of its mail. */
const KILL_AFTER_MAX_MS = 40;
/** How many mails the product has in flight at once: after a kill it is unknown which of them were sent. */
const IN_FLIGHT_MAX = 4;

const PASSWORD = 'correct horse battery staple';

interface SignUp {
  readonly email: string;
  readonly status: number;
  readonly ms: number;
}

/** @throws {TypeError} when the server is gone */
async function signUp(url: string, username: string): Promise<SignUp> {
  const email = `${username}@example.org`;
  const began = performance.now();
  const { status } = await send(url, accounts.signup, { body: { username, email, password: PASSWORD } });
  return { email, status, ms: performance.now() - began };
}

interface Delivery {
  /** Sign-ups that were answered 201 and got no mail. */
  lost: number;
  /** Mails beyond the first of a mailbox. */
  twice: number;
  /** Mailboxes whose last code was not valid. */
  deadCodes: number;
  goodCodes: number;
}

/** Looks into every mailbox, and types its last code. */
async function readMail(url: string, { received }: MailServer, emails: readonly string[]): Promise<Delivery> {
  const boxes = Map.groupBy(received, ({ recipients }) => recipients[0]);
  const delivery = { lost: 0, twice: received.length - boxes.size, deadCodes: 0, goodCodes: 0 };
  for (const email of emails) {
    const last = boxes.get(email)?.at(-1);
    const verificationCode = /^(\d{6})\r?$/m.exec(last?.text ?? '')?.[1];
    if (!last) delivery.lost += 1;
    else if ((await sendPatiently(url, accounts.verify, { body: { email, verificationCode } })).status === 200)
      delivery.goodCodes += 1;
    else delivery.deadCodes += 1;
  }
  return delivery;
}

type SqlitePlace = ReturnType<typeof openSqlitePlace>;

const read = ({ address }: SqlitePlace) => new DatabaseSync(address.sqlite, { readOnly: true });

/** Waits until the product has no mail queued or in flight. @returns the milliseconds; infinite when it goes on for 60 s */
async function waitForMails(place: SqlitePlace): Promise<number> {
  using database = read(place);
  const queued = database.prepare('SELECT count(*) AS mails FROM outbox');
  return await timeUntil(() => queued.get()?.mails === 0, ARRIVES_WITHIN_MS, LOOK_EVERY_MS);
}

/** The recipients of mails in flight when a product was killed: these mails are sent again and may arrive twice. */
function readInFlight(place: SqlitePlace): string[] {
  using database = read(place);
  const query = 'SELECT email FROM outbox JOIN users ON users.id = outbox.user_id WHERE attempts > 0';
  return database
    .prepare(query)
    .all()
    .map(({ email }) => String(email));
}

/** A product whose mail server fails. */
interface Outage {
  readonly mailFault: MailFault;
  readonly place: SqlitePlace;
  readonly mailServer: MailServer;
  readonly server: Server;
  readonly signUps: readonly SignUp[];
  /** Ends the fault of the mail server. */
  heal(): void;
  /** Log lines at error or above, before the kill and after it. */
  countErrors(): number;
}

/** Signs people up while the mail server fails, before and after a kill -9, which their mails survive. */
async function beginOutage(mailFault: MailFault, place: SqlitePlace, rest: AsyncDisposableStack, fault?: Fault) {
  const mailServer = await startMailServer();
  rest.defer(() => mailServer.close());
  const between = await startFaultyMail(mailServer);
  rest.defer(() => between.close());
  between.fail(mailFault);
  const env = { ...place.env, SMTP_URL: between.url };
  const failed = Promise.withResolvers<void>();
  const onLog = ({ event }: Record<string, unknown>) => event === 'mail-failed' && failed.resolve();
  const signUps: SignUp[] = [];
  const signUpSome = async ({ url }: Server, prefix: string) => {
    for (let index = 0; index < SIGNUPS; index += 1) signUps.push(await signUp(url, `${prefix}-${index}`));
  };
  const first = await startServer({ env, fault, onLog });
  rest.defer(() => first.kill());
  await signUpSome(first, 'before');
  const isSeen = failed.promise.then(() => true);
  if (!(await Promise.race([isSeen, setTimeout(FAILS_WITHIN_MS, false, { ref: false })]))) {
    throw new Error(`No mail failed at a mail server that ${mailFault}.`);
  }
  await first.kill();
  const server = await startServer({ env, fault });
  rest.defer(() => server.kill());
  await signUpSome(server, 'after');
  const heal = () => between.fail(undefined);
  const countErrors = () => first.errors.length + server.errors.length;
  return { mailFault, place, mailServer, server, signUps, heal, countErrors } satisfies Outage;
}

async function endOutage({ mailFault, place, mailServer, server, signUps, heal, countErrors }: Outage) {
  heal();
  const waited = await waitForMails(place);
  const emails = signUps.filter(({ status }) => status === 201).map(({ email }) => email);
  const delivery = await readMail(server.url, mailServer, emails);
  return { mailFault, signUps, waited, ...delivery, errors: countErrors() };
}

/** Tries all ways in which a mail server can fail. */
async function tryOutages(say: (line: string) => void, fault?: Fault) {
  await using rest = new AsyncDisposableStack();
  const outages: Outage[] = [];
  // One after another, or the starts would slow each other's sign-ups.
  for (const mailFault of MAIL_FAULTS) {
    outages.push(await beginOutage(mailFault, rest.use(openSqlitePlace()), rest, fault));
  }
  const ended = await Promise.all(outages.map(endOutage));
  for (const { mailFault, waited, lost, twice } of ended) {
    say(`one that ${mailFault}: all sent after ${seconds(waited)}, ${lost} lost, ${twice} twice`);
  }
  const sum = (of: (one: (typeof ended)[number]) => number) => ended.reduce((total, one) => total + of(one), 0);
  const signUps = ended.flatMap((one) => one.signUps);
  return {
    signUps: signUps.length,
    refused: signUps.filter(({ status }) => status !== 201).length,
    slowest: Math.max(...signUps.map(({ ms }) => ms)),
    waited: Math.max(...ended.map(({ waited }) => waited)),
    lost: sum(({ lost }) => lost),
    // A server that hangs up after it took a mail gets it again: the product cannot know that it was taken.
    twice: sum(({ mailFault, twice }) => (mailFault === 'hangs up after DATA' ? 0 : twice)),
    deadCodes: sum(({ deadCodes }) => deadCodes),
    goodCodes: sum(({ goodCodes }) => goodCodes),
    errors: sum(({ errors }) => errors),
  };
}

/** Signs people up until as many are as wanted or the server is gone. */
async function signUpOn(url: string, emails: string[], wanted: number, names: Iterator<string>): Promise<void> {
  try {
    while (emails.length < wanted) {
      const { email, status } = await signUp(url, names.next().value);
      if (status === 201) emails.push(email);
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

function* nameAll(): Generator<string, never> {
  for (let index = 0; ; index += 1) yield `person-${index}`;
}

/** Kills a product again and again while it hands mails over to a server that is well. */
async function tryKills(kills: number, say: (line: string) => void) {
  using place = openSqlitePlace();
  await using rest = new AsyncDisposableStack();
  const mailServer = await startMailServer();
  rest.defer(() => mailServer.close());
  const env = { ...place.env, SMTP_URL: mailServer.url };
  const emails: string[] = [];
  const inFlight = new Set<string>();
  const names = nameAll();
  let errors = 0;
  const run = async (server: Server) => {
    await Promise.all(Array.from({ length: WRITERS }, () => signUpOn(server.url, emails, MAILS, names)));
  };
  for (let kill = 1; kill <= kills; kill += 1) {
    const server = await startServer({ env });
    rest.defer(() => server.kill());
    const running = run(server);
    const goal = Math.round((MAILS * kill) / (kills + 1));
    while (emails.length < goal) {
      if (server.process.exitCode !== null) throw new Error('The server ended by itself.');
      await setTimeout(1);
    }
    await setTimeout(randomBetween(0, KILL_AFTER_MAX_MS));
    await server.kill();
    await running;
    errors += server.errors.length;
    for (const email of readInFlight(place)) inFlight.add(email);
    say(`kill ${kill}: ${emails.length} signed up, ${mailServer.received.length} mails arrived`);
  }
  const server = await startServer({ env });
  rest.defer(() => server.kill());
  await run(server);
  const waited = await waitForMails(place);
  const delivery = await readMail(server.url, mailServer, emails);
  const boxes = Map.groupBy(mailServer.received, ({ recipients }) => recipients[0] ?? '');
  const unexplained = [...boxes].filter(([email, mails]) => mails.length > 1 && !inFlight.has(email)).length;
  const mails = mailServer.received.length;
  return { mails, waited, ...delivery, inFlight: inFlight.size, unexplained, errors: errors + server.errors.length };
}

export const mailFaults: Promised = {
  id: 'R8',
  promise: 'mail waits for a mail server that fails',
  async attempt({ rounds, say }) {
    const kills = rounds(KILLS);
    const outages = await tryOutages(say);
    const killed = await tryKills(kills, say);
    const control = await tryOutages(() => {}, 'forgets-failed-mails');
    const isKept =
      outages.refused === 0 &&
      outages.slowest <= ANSWER_WITHIN_MS &&
      Math.max(outages.waited, killed.waited) <= ARRIVES_WITHIN_MS &&
      [outages.lost, outages.twice, outages.deadCodes, outages.errors].every((faults) => faults === 0) &&
      [killed.lost, killed.deadCodes, killed.errors].every((faults) => faults === 0) &&
      killed.unexplained === 0 &&
      killed.inFlight <= IN_FLIGHT_MAX * kills;
    return [
      {
        promised: `${MAIL_FAULTS.length} ways to fail, kill -9 in each: sign-ups 201 within ${ANSWER_WITHIN_MS / 1000} s, all mails within ${ARRIVES_WITHIN_MS / 1000} s after the mail server is well, with good codes, none twice that was not taken before; of ${count(MAILS, 'mails')} beside ${KILLS} kills none lost, none twice but of the ${IN_FLIGHT_MAX} at most that are in flight at a kill`,
        measured: [
          `${count(outages.signUps, 'sign-ups')}, ${outages.refused} not 201, the slowest in ${Math.round(outages.slowest)} ms; all mails after at most ${seconds(outages.waited)}, ${outages.lost} lost, ${outages.twice} twice, ${count(outages.goodCodes, 'codes')} good, ${outages.deadCodes} dead`,
          `${count(killed.mails, 'mails')} beside ${count(kills, 'kills')}: ${killed.lost} lost, ${killed.twice} of the ${killed.inFlight} in flight twice, ${killed.unexplained} others, ${killed.deadCodes} codes dead`,
        ].join('; '),
        isKept,
        control: `a mail that failed once forgotten: ${count(control.signUps, 'sign-ups')}, ${control.lost} mails lost`,
        isControlSeen: control.lost > 0,
      },
    ];
  },
};
