import { describe, expect, test } from 'vitest';
import {
  planNextTry,
  planWakeUp,
  SERVER_WORKS,
  type ServerState,
  type SmtpFailure,
} from '../../src/server/mail/plan.ts';

const MAIL = 7;
const TEN_MINUTES = 600_000;
const state = (failures: number, ...refused: number[]): ServerState => ({ failures, refused: new Set(refused) });

/** The failure, the attempts before, the server's state; then how long the mail waits, and the server's new state. */
const PLANS: [string, SmtpFailure, number, ServerState, number | null, ServerState][] = [
  ['550: never again', { responseCode: 550, command: 'RCPT TO' }, 0, SERVER_WORKS, null, state(0)],
  ['599: never again', { responseCode: 599, command: 'DATA' }, 5, state(3, 1), null, state(0, 1)],
  ['600 is no SMTP status: for now', { responseCode: 600, command: 'DATA' }, 0, state(0), 1_000, state(0, MAIL)],

  ['451: in a second', { responseCode: 451, command: 'DATA' }, 0, SERVER_WORKS, 1_000, state(0, MAIL)],
  ['451: then in two', { responseCode: 451, command: 'DATA' }, 1, state(0, MAIL), 2_000, state(0, MAIL)],
  ['451: below ten minutes', { responseCode: 451 }, 9, state(0), 512_000, state(0, MAIL)],
  ['451: ten minutes at most', { responseCode: 451 }, 10, state(0), TEN_MINUTES, state(0, MAIL)],
  ['451: ten minutes, however often', { responseCode: 451 }, 5_000, state(0), TEN_MINUTES, state(0, MAIL)],
  ['451 from a server that was gone: it is there', { responseCode: 451 }, 0, state(4), 1_000, state(0, MAIL)],
  ['the second mail refused is its own affair', { responseCode: 451 }, 10, state(0, 1), TEN_MINUTES, state(0, 1, MAIL)],
  ['so is one mail refused again', { responseCode: 451 }, 10, state(0, 1, MAIL), TEN_MINUTES, state(0, 1, MAIL)],
  ['the third is the server’s', { responseCode: 451 }, 10, state(0, 1, 2), 30_000, state(0, 1, 2, MAIL)],
  ['the third waits no longer for that', { responseCode: 451 }, 2, state(0, 1, 2), 4_000, state(0, 1, 2, MAIL)],

  ['nobody there: in a second', { code: 'ECONNECTION', command: 'CONN' }, 9, SERVER_WORKS, 1_000, state(1)],
  ['still nobody: by the server’s failures alone', { code: 'ETIMEDOUT' }, 0, state(3, 1), 8_000, state(4, 1)],
  ['nobody for long: every half minute', { code: 'ETIMEDOUT' }, 0, state(5), 30_000, state(6)],
  ['no word at all', {}, 0, state(0), 1_000, state(1)],
  ['421 is of the server', { responseCode: 421, command: 'DATA' }, 0, state(0), 1_000, state(1)],
  ['a sign-in refused is of the server', { responseCode: 535, command: 'AUTH PLAIN' }, 0, state(0), 1_000, state(1)],
  ['a sign-in refused for now too', { responseCode: 454, command: 'AUTH LOGIN' }, 0, state(0), 1_000, state(1)],
  ['no encryption is of the server', { responseCode: 502, command: 'STARTTLS' }, 0, state(0), 1_000, state(1)],
  ['a greeting refused is of the server', { responseCode: 550, command: 'HELO' }, 0, state(0), 1_000, state(1)],
  ['a sender refused is of the server', { responseCode: 530, command: 'MAIL FROM' }, 0, state(0), 1_000, state(1)],
  ['a connection refused is of the server', { responseCode: 554, command: 'CONN' }, 0, state(0), 1_000, state(1)],
];

describe('a mail that was not handed over', () => {
  test.each(PLANS)('%s', (_what, failure, attempts, before, waitMs, server) => {
    expect(planNextTry(failure, { id: MAIL, attempts }, before)).toEqual({ waitMs, server });
  });

  test('planning changes nothing that it was given', () => {
    const before = state(0, 1);
    planNextTry({ responseCode: 451 }, { id: MAIL, attempts: 0 }, before);
    expect(before).toEqual(state(0, 1));
    expect(SERVER_WORKS).toEqual(state(0));
  });
});

const NOW = 1_000_000;

describe('the next look for due mails', () => {
  test.each([
    ['nothing waits: like mails that others left behind', undefined, SERVER_WORKS, 15_000],
    ['when the next is due', NOW + 2_000, SERVER_WORKS, 2_005],
    ['at once when it is overdue', NOW - 2_000, SERVER_WORKS, 5],
    ['not later than a process looks anyhow', NOW + TEN_MINUTES, SERVER_WORKS, 15_000],
    ['not before a server that failed is tried again', NOW, state(1), 1_000],
    ['after half a minute when it has failed for long', NOW, state(9), 30_000],
    ['when the mail is due, if that is later', NOW + 5_000, state(1), 5_005],
  ])('%s', (_what, nextDue, server, expected) => {
    expect(planWakeUp(nextDue, server, NOW)).toBe(expected);
  });
});
