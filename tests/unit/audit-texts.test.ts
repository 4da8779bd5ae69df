import { expect, test } from 'vitest';
import {
  ACTION_TEXTS,
  actionText,
  reasonOf,
  subjectAddress,
  subjectText,
} from '../../src/client/pages/admin/audit-texts.ts';
import type { AuditEntry } from '../../src/contract/audit.ts';
import { CALLS } from '../../src/contract/calls.ts';

const entry = (values: Partial<AuditEntry>): AuditEntry => ({
  id: 1,
  at: '2026-01-01T00:00:00.000Z',
  userId: 1,
  username: 'ann',
  act: 'postHousing',
  subjectKind: 'entry',
  subjectId: 286,
  ...values,
});
const sentence = (values: Partial<AuditEntry>) => `${actionText(entry(values))}: ${subjectText(entry(values))}`;

test('everything that an admin may do has words', () => {
  const writes = CALLS.filter(({ access, method }) => access === 'admin' && method !== 'GET');
  const wordless = writes.filter(({ name }) => actionText(entry({ act: name })) === name);
  expect(wordless.map(({ name }) => name)).toEqual([]);
});

test('no two choices of the filter read the same', () => {
  const words = [...ACTION_TEXTS.values()];
  expect(words.filter((text, index) => words.indexOf(text) !== index)).toEqual([]);
});

test.each([
  [{ subjectName: 'North Hall (Larkspur Polytechnic)' }, 'Added Housing: North Hall (Larkspur Polytechnic)'],
  [{}, 'Added Housing: no. 286'],
  [{ act: 'deleteHousingReview', subjectKind: 'review', subjectId: 594 }, 'Hid Housing review: no. 594'],
  [{ act: 'updateUser', subjectKind: 'user', subjectName: 'bob', details: { action: 'an admin' } }, 'Made admin: bob'],
  [
    { act: 'updateUser', subjectKind: 'user', subjectName: 'bob', details: { action: 'no admin' } },
    'No longer admin: bob',
  ],
  [
    { act: 'blockUser', subjectKind: 'user', subjectName: 'bob', details: { action: 'blocked', reason: 'Spam.' } },
    'Blocked user: bob',
  ],
  [
    { act: 'blockUser', subjectKind: 'user', subjectName: 'bob', details: { action: 'unblocked' } },
    'Unblocked user: bob',
  ],
  [{ act: 'admin create', subjectKind: 'user', subjectName: 'bob' }, 'Created admin: bob'],
  [
    { act: 'decideProposal', subjectName: 'Rowing', details: { action: 'refuse', reason: 'No lake.' } },
    'Refused proposal: Rowing',
  ],
  [
    { act: 'decideProposal', subjectName: 'Rowing', details: { action: 'accept', reason: 'entry 7' } },
    'Accepted proposal: Rowing',
  ],
  [{ act: 'laterCall', subjectName: 'x' }, 'laterCall: x'],
] as [Partial<AuditEntry>, string][])('%j reads "%s"', (values, words) => {
  expect(sentence(values)).toBe(words);
});

test('what is still there and has a page is linked', () => {
  expect(subjectAddress(entry({ subjectName: 'North Hall (Larkspur Polytechnic)' }))).toBe('/housingreview/286');
  expect(subjectAddress(entry({ act: 'postSchool', subjectKind: 'school', subjectName: 'x' }))).toBe('/school/286');
  expect(subjectAddress(entry({}))).toBeUndefined();
  expect(subjectAddress(entry({ act: 'deleteUser', subjectKind: 'user', subjectName: 'x' }))).toBeUndefined();
  expect(subjectAddress(entry({ subjectKind: 'old', subjectId: null }))).toBeUndefined();
});

test.each([
  [{ action: 'hide', reason: 'hateful' }, 'Hid review', 'It is hateful'],
  [
    { action: 'hide', reason: 'offtopic', note: 'About the weather, not the hall.' },
    'Hid review',
    'It is off topic, About the weather, not the hall.',
  ],
  [{ action: 'restore' }, 'Restored review', undefined],
  [{ action: 'restore', note: 'After a second look.' }, 'Restored review', 'After a second look.'],
  [{ action: 'laterAction', reason: 'laterReason' }, 'Decided about review', 'laterReason'],
])('the decision %j reads "%s" with the reason %j', (details, words, shown) => {
  const decision = entry({ act: 'moderateReview', subjectKind: 'review', details });
  expect(actionText(decision)).toBe(words);
  expect(reasonOf(decision)).toBe(shown);
});

test('an answer of the version before, which has no details, shows its text', () => {
  expect(reasonOf(entry({ act: 'blockUser', reason: 'blocked: Spam.' }))).toBe('blocked: Spam.');
});
