import os from 'node:os';
import * as accounts from '../../src/contract/accounts.ts';
import * as profiles from '../../src/contract/profiles.ts';
import { startPostgres } from '../../tests/support/postgres.ts';
import { send } from '../http.ts';
import { readCode } from '../mails.ts';
import { openPostgresPlace, openSqlitePlace } from '../places.ts';
import { count, describeFaults, type Finding, type Promised } from '../promise.ts';
import { type Fault, type Server, startServer } from '../server.ts';
import { timeUntil } from '../waiting.ts';

const PEOPLE = 20;
const IDLE_HOURS = 4;
const CRASHES = 20;
const BACK_WITHIN_MS = 3_000;
const LOOK_EVERY_MS = 5;
const WAIT_MAX_MS = 10_000;

async function until(isSo: () => boolean, what: string): Promise<void> {
  const ms = await timeUntil(isSo, WAIT_MAX_MS, LOOK_EVERY_MS);
  if (!Number.isFinite(ms)) throw new Error(`${what} did not happen within ${WAIT_MAX_MS / 1000} s.`);
}

/** What a product did according to its log: which codes it mailed to whom, how often its clock was set. */
function createWatch() {
  const codes = new Map<string, string[]>();
  let steps = 0;
  return {
    steps: () => steps,
    onLog(line: Record<string, unknown>) {
      if (line.event === 'clock-stepped') steps += 1;
      const mailed = readCode(line);
      if (mailed) codes.set(mailed.to, [...(codes.get(mailed.to) ?? []), mailed.code]);
    },
    /** The code in the n-th mail to somebody, where `number` is n. */
    async codeFor(email: string, number: number): Promise<string> {
      await until(() => (codes.get(email)?.length ?? 0) >= number, 'A mail');
      return codes.get(email)?.[number - 1] ?? '';
    },
  };
}

type Watch = ReturnType<typeof createWatch>;

/** Steps the clock around one person's codes and sessions. @returns what lived too long, or was ended without need */
async function checkPerson({ url, process: child }: Server, watch: Watch, name: string): Promise<string[]> {
  const faults: string[] = [];
  const email = `${name}@example.org`;
  const password = 'as good as any other';
  const step = async (signal: 'SIGUSR2' | 'SIGHUP') => {
    const before = watch.steps();
    child.kill(signal);
    await until(() => watch.steps() > before, 'A step of the clock');
  };
  const expect = (what: string, { status }: { status: number }, expected: number) => {
    if (status !== expected) faults.push(`${what}: ${status} in place of ${expected}`);
  };
  const verify = (verificationCode: string) => send(url, accounts.verify, { body: { email, verificationCode } });
  const resend = () => send(url, accounts.resend, { query: { email } });
  const logIn = async (): Promise<string> =>
    (await send(url, accounts.login, { body: { email, password } })).body.token;
  const sendToken = (token: string) => send(url, profiles.recommendSchool, { token, body: {} });

  expect('signing up', await send(url, accounts.signup, { body: { username: name, email, password } }), 201);
  const first = await watch.codeFor(email, 1);
  await step('SIGHUP');
  expect('a code an hour before it was made', await verify(first), 400);
  // A verified user would get no other code.
  if (faults.length > 0) return faults;
  await resend();
  const second = await watch.codeFor(email, 2);
  await step('SIGUSR2');
  expect('a code after an hour', await verify(second), 400);
  await resend();
  expect('a fresh code', await verify(await watch.codeFor(email, 3)), 200);

  const early = await logIn();
  await step('SIGHUP');
  expect('a token an hour before it was made', await sendToken(early), 401);
  const late = await logIn();
  // A 409 says that the user has no profile: the token, which is checked first, is valid.
  expect('a fresh token', await sendToken(late), 409);
  for (let hour = 0; hour < IDLE_HOURS; hour += 1) await step('SIGUSR2');
  expect(`a token unused for ${IDLE_HOURS} hours`, await sendToken(late), 401);
  for (let hour = 1; hour < IDLE_HOURS; hour += 1) await step('SIGHUP');
  return faults;
}

async function stepClock(people: number, fault: Fault): Promise<string[]> {
  using place = openSqlitePlace();
  const watch = createWatch();
  const server = await startServer({ env: place.env, fault, onLog: watch.onLog });
  const faults: string[] = [];
  for (let person = 0; person < people; person += 1)
    faults.push(...(await checkPerson(server, watch, `someone-${person}`)));
  await server.kill();
  return faults;
}

/**
 * Lets one of two processes fail again and again, and starts it again at once, as an init system does.
 * @returns the milliseconds until it was ready again, each time
 */
async function crash(times: number, faults: string[]): Promise<number[]> {
  await using database = await startPostgres();
  using place = await openPostgresPlace(database);
  let logged = 0;
  const onLog = ({ event }: { event?: unknown }) => {
    if (event === 'crash') logged += 1;
  };
  const start = () => startServer({ env: place.env, fault: 'rejects-on-signal', onLog });
  const other = await start();
  let failing = await start();
  const back: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const began = performance.now();
    failing.process.kill('SIGUSR2');
    const { status } = await fetch(`${other.url}/auth/schools`);
    if (status !== 200) faults.push(`beside a crash a read was answered ${status}`);
    const exit = await failing.exit;
    if (exit !== 1) faults.push(`it ended with ${exit}`);
    failing = await start();
    back.push(performance.now() - began);
  }
  if (logged !== times) faults.push(`${logged} of ${times} crashes logged`);
  await failing.kill();
  await other.kill();
  return back;
}

/** Lets the only process of a product fail. @returns its exit code or signal */
async function crashAlone(): Promise<number | string> {
  using place = openSqlitePlace();
  const server = await startServer({ env: place.env, fault: 'rejects-on-signal' });
  server.process.kill('SIGUSR2');
  const exit = await server.exit;
  return server.errors.some(({ event }) => event === 'crash') ? exit : `${exit}, unlogged`;
}

export const clocksAndCrashes: Promised = {
  id: 'R16',
  promise: 'nothing lives longer for a clock that is set, and a crash is logged and made good',
  needs: () => (os.platform() === 'win32' ? 'signals' : undefined),
  async attempt({ rounds }): Promise<Finding[]> {
    const people = rounds(PEOPLE);
    const lived = await stepClock(people, 'steps-clock');
    const control = await stepClock(1, 'trusts-clock');
    const faults: string[] = [];
    const back = await crash(rounds(CRASHES), faults);
    const exit = await crashAlone();
    if (exit !== 1) faults.push(`alone it ended with ${exit}`);
    const all = [...lived, ...faults];
    return [
      {
        promised: `the clock set an hour back and forth around the codes and sessions of ${PEOPLE} people: none lives longer than it may; ${CRASHES} unhandled rejections logged, exit 1, the process ready again within ${BACK_WITHIN_MS / 1000} s`,
        measured: `${count(people, 'people')}, ${count(back.length, 'crashes')} of one of two processes, ready again after at most ${Math.max(...back).toFixed(0)} ms; ${describeFaults(all)}`,
        isKept: all.length === 0 && Math.max(...back) <= BACK_WITHIN_MS,
        control: `the clock trusted: ${control.join(', ') || 'nothing lived longer'}`,
        isControlSeen: control.length > 0,
      },
    ];
  },
};
