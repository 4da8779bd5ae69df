import { setTimeout } from 'node:timers/promises';
import { callAddress } from '../../src/contract/call.ts';
import * as profiles from '../../src/contract/profiles.ts';
import { reviewCalls } from '../../src/contract/reviews.ts';
import type { DatabaseAddress } from '../../src/server/database/open.ts';
import { insertSchool } from '../../src/server/schools/queries.ts';
import { BROKEN_MODELS, HOSTILE_MODELS, SLOW_MODELS } from '../../tests/support/model-faults.ts';
import { type Behaviour, replyWith, startModelServer } from '../../tests/support/model-server.ts';
import { withDatabase } from '../../tests/support/with-database.ts';
import { readUntil, sendPatiently } from '../http.ts';
import { openSqlitePlace } from '../places.ts';
import { populate } from '../population.ts';
import { count, type Promised, percentile, seconds } from '../promise.ts';
import { type Fault, startServer } from '../server.ts';
import { timeUntil } from '../waiting.ts';

const ANSWER_WITHIN_MS = 16_000;
/** The caller disconnects after this time, so that a product that never answers does not block the trial. */
const LEAVES_AFTER_MS = 20_000;
const FAILURES_IN_A_ROW = 5;
const BREAKER_OPEN_MS = 30_000;
const ANSWER_AT_REST_WITHIN_MS = 1_000;
const ASK_EVERY_MS = 500;
const WELL_AGAIN_WITHIN_MS = 10_000;
const WARM_MS = 2_000;
const QUIET_MS = 10_000;
const SLOWER_MAX = 2;
/** Below this, twice as slow is noise of the machine. */
const READ_P99_FLOOR_MS = 20;

type ModelFault = readonly [what: string, behave: Behaviour];

const SAYS_NOTHING: ModelFault = ['says nothing', () => {}];
const WORKING_MODEL = replyWith('Prairie College suits you.');
const GONE = 'is not there';

/** What the built-in recommender answers to the preferences below. */
const BEST = 'Fjord University (Bergen, Norway) is your best match.';
const SCHOOLS = [
  { schoolName: 'Fjord University', location: 'Bergen, Norway', description: 'Marine biology, on research ships.' },
  { schoolName: 'Prairie College', location: 'Iowa, United States', description: 'Agriculture and animal science.' },
  { schoolName: 'Alpine Institute', location: 'Bern, Switzerland', description: 'Engineering between mountains.' },
];
/** Something of each school, so that all of them are candidates. */
const PREFERENCES = { location: 'Norway', major: 'Marine biology', personal: 'Animal science, mountains.' };

const addSchools = (address: DatabaseAddress) =>
  withDatabase(address, ({ write }) =>
    write(async (db) => {
      for (const school of SCHOOLS) await insertSchool(db, school);
    }),
  );

interface Recommended {
  /** 0: not answered for as long as somebody waited. */
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

let profiled = 0;

/** Asks with another profile each time: the model is not asked again for a profile that it has answered. */
async function recommend(url: string, token: string): Promise<Recommended> {
  profiled += 1;
  await sendPatiently(url, profiles.postProfile, { token, body: { ...PREFERENCES, finance: `Budget ${profiled}` } });
  const began = performance.now();
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const signal = AbortSignal.timeout(LEAVES_AFTER_MS);
  const { method, path } = profiles.recommendSchool;
  try {
    const answer = await fetch(url + path, { method, headers, body: '{}', signal });
    const text = await answer.text();
    return { status: answer.status, text, ms: performance.now() - began };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { status: 0, text: '', ms: performance.now() - began };
  }
}

const isBuiltIn = ({ status, text }: Recommended) =>
  status === 200 && text.startsWith(BEST) && text.includes('The AI model could not answer.');
const isOfModel = ({ status, text }: Recommended) => status === 200 && text.includes('(Written by an AI model.)');

type Model = Awaited<ReturnType<typeof startModelServer>>;

/** Asks once for each way to fail. The model answers in between, so that it is not left alone yet. */
async function failInTurn(url: string, token: string, model: Model, faults: readonly ModelFault[]) {
  const answers: { what: string; answer: Recommended }[] = [];
  for (const [what, behave] of faults) {
    model.state.behave = WORKING_MODEL;
    const before = await recommend(url, token);
    if (!isOfModel(before)) throw new Error(`A model that is well was not shown before one that ${what}.`);
    model.state.behave = behave;
    answers.push({ what, answer: await recommend(url, token) });
  }
  return answers;
}

/** Lets the model fail five times in a row, each of which is waited for; it is then left alone for half a minute. */
async function failInARow(url: string, tokens: readonly string[], model: Model) {
  const [token = ''] = tokens;
  model.state.behave = SAYS_NOTHING[1];
  const waited = await Promise.all(tokens.map((one) => recommend(url, one)));
  const asked = model.state.prompts.length;
  const atRest: Recommended[] = [];
  // The model's rest began when the last request failed, a little before that request was answered.
  const deadline = performance.now() + BREAKER_OPEN_MS - ASK_EVERY_MS;
  while (performance.now() < deadline) {
    atRest.push(await recommend(url, token));
    await setTimeout(ASK_EVERY_MS);
  }
  const askedAtRest = model.state.prompts.length - asked;
  model.state.behave = WORKING_MODEL;
  const isShown = async () => isOfModel(await recommend(url, token));
  const wellAgainMs = await timeUntil(isShown, WELL_AGAIN_WITHIN_MS, ASK_EVERY_MS);
  return { waited, atRest, askedAtRest, isWellAgain: Number.isFinite(wellAgainMs) };
}

async function endure(faults: readonly ModelFault[], fault?: Fault) {
  using place = openSqlitePlace();
  await using rest = new AsyncDisposableStack();
  const { targets, reviewers } = await populate(place.address, { targets: 1, accounts: 1 });
  await addSchools(place.address);
  const model = await startModelServer();
  const listening = rest.use(new AsyncDisposableStack());
  listening.defer(() => model.stop());
  const elsewhere = await startModelServer();
  rest.defer(() => elsewhere.stop());
  // Without a cache: every read is uncached.
  const env = { ...place.env, CACHE_MB: '0', LLM_BASE_URL: model.url, LLM_MODEL: 'failing' };
  const server = await startServer({ env, fault });
  rest.defer(() => server.kill());
  const { url } = server;
  const tokens = reviewers.slice(0, FAILURES_IN_A_ROW).map((reviewer) => reviewer.token);
  const [token = ''] = tokens;
  const [target] = targets;
  const read = url + callAddress(reviewCalls(target.category).list, { params: { id: target.id } });
  await readUntil(read, AbortSignal.timeout(WARM_MS));
  const quiet = await readUntil(read, AbortSignal.timeout(QUIET_MS));
  const over = new AbortController();
  const reading = readUntil(read, over.signal);
  const Location = `${elsewhere.url}/chat/completions`;
  const redirects: ModelFault = ['redirects', (response) => response.writeHead(307, { Location }).end()];
  const inTurn = await failInTurn(url, token, model, [...faults, redirects]);
  const inARow = await failInARow(url, tokens, model);
  await listening.disposeAsync();
  inTurn.push({ what: GONE, answer: await recommend(url, token) });
  over.abort();
  const reads = await reading;
  const answers = [...inTurn, ...inARow.waited.map((answer) => ({ what: SAYS_NOTHING[0], answer }))];
  return {
    ways: inTurn.length,
    answers: answers.length,
    slowest: Math.max(...answers.map(({ answer }) => answer.ms)),
    wrong: answers.filter(({ answer }) => !isBuiltIn(answer) || answer.ms > ANSWER_WITHIN_MS).map(({ what }) => what),
    atRest: inARow.atRest.length,
    slowestAtRest: Math.max(...inARow.atRest.map(({ ms }) => ms)),
    wrongAtRest: inARow.atRest.filter((answer) => !isBuiltIn(answer)).length,
    askedAtRest: inARow.askedAtRest,
    isWellAgain: inARow.isWellAgain,
    quietP99: percentile(quiet, 0.99),
    p99: percentile(reads, 0.99),
    slowestRead: Math.max(...reads),
    toldElsewhere: elsewhere.state.prompts.length,
    errors: server.errors.map((line) => JSON.stringify(line)),
  };
}

type Endured = Awaited<ReturnType<typeof endure>>;

function describe(result: Endured): string {
  const { ways, answers, slowest, wrong, atRest, slowestAtRest, wrongAtRest, askedAtRest, isWellAgain } = result;
  return [
    `${count(ways, 'ways')}, ${count(answers, 'recommendations')}, the slowest in ${seconds(slowest)}, ${wrong.length === 0 ? 'all as promised' : `${wrong.length} not, such as from one that ${wrong[0]}`}`,
    `then ${atRest} in a row, the slowest in ${Math.round(slowestAtRest).toLocaleString('en')} ms, ${wrongAtRest} wrong, the model asked ${askedAtRest} times, ${isWellAgain ? 'and shown when it was well' : 'and not shown when it was well'}`,
    `GETs p99 ${result.p99.toFixed(1)} ms (${result.quietP99.toFixed(1)} ms in quiet), at most ${Math.round(result.slowestRead)} ms`,
    ...(result.toldElsewhere > 0 ? [`${result.toldElsewhere} prompts elsewhere`] : []),
    ...result.errors,
  ].join('; ');
}

const isLeftAlone = (result: Endured) =>
  result.slowestAtRest <= ANSWER_AT_REST_WITHIN_MS && result.wrongAtRest === 0 && result.askedAtRest === 0;

export const modelFaults: Promised = {
  id: 'R9',
  promise: 'a model that is down or hostile keeps nobody waiting',
  async attempt() {
    const result = await endure([SAYS_NOTHING, ...SLOW_MODELS, ...BROKEN_MODELS, ...HOSTILE_MODELS]);
    const control = await endure([SAYS_NOTHING], 'waits-for-models');
    return [
      {
        promised: `the built-in text within ${ANSWER_WITHIN_MS / 1000} s whatever the model does; after ${FAILURES_IN_A_ROW} failures in a row within ${ANSWER_AT_REST_WITHIN_MS / 1000} s for ${BREAKER_OPEN_MS / 1000} s, unasked; GET p99 meanwhile at most ${SLOWER_MAX} times that of quiet, or ${READ_P99_FLOOR_MS} ms`,
        measured: describe(result),
        isKept:
          result.wrong.length === 0 &&
          isLeftAlone(result) &&
          result.isWellAgain &&
          result.p99 <= Math.max(READ_P99_FLOOR_MS, SLOWER_MAX * result.quietP99) &&
          result.toldElsewhere === 0 &&
          result.errors.length === 0,
        control: `ten minutes for an answer, and never left alone: ${describe(control)}`,
        isControlSeen: control.wrong.length > 0 && !isLeftAlone(control),
      },
    ];
  },
};
