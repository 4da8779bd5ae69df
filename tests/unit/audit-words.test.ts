import { expect, test } from 'vitest';
import { actionText, reasonOf, subjectAddress, subjectText } from '../../src/client/pages/admin/audit-words.ts';
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

test.each([
  [{ subjectName: 'North Hall (Larkspur Polytechnic)' }, 'Added Housing: North Hall (Larkspur Polytechnic)'],
  [{}, 'Added Housing: no. 286'],
  [{ act: 'deleteHousingReview', subjectKind: 'review', subjectId: 594 }, 'Hid Housing review: no. 594'],
  [{ act: 'updateUser', subjectKind: 'user', subjectName: 'bob', reason: 'an admin' }, 'Made admin: bob'],
  [{ act: 'updateUser', subjectKind: 'user', subjectName: 'bob', reason: 'no admin' }, 'No longer admin: bob'],
  [{ act: 'blockUser', subjectKind: 'user', subjectName: 'bob', reason: 'blocked: Spam.' }, 'Blocked user: bob'],
  [{ act: 'blockUser', subjectKind: 'user', subjectName: 'bob', reason: 'unblocked' }, 'Unblocked user: bob'],
  [{ act: 'admin create', subjectKind: 'user', subjectName: 'bob' }, 'Created admin: bob'],
  [{ act: 'decideProposal', subjectName: 'Rowing', reason: 'refuse: No lake.' }, 'Refused proposal: Rowing'],
  [{ act: 'decideProposal', subjectName: 'Rowing', reason: 'accept: entry 7' }, 'Accepted proposal: Rowing'],
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
  ['hide: hateful', 'Hid review', 'It is hateful'],
  [
    'hide: offtopic, About the weather, not the hall.',
    'Hid review',
    'It is off topic, About the weather, not the hall.',
  ],
  ['restore', 'Restored review', undefined],
  ['restore, After a second look.', 'Restored review', 'After a second look.'],
  ['keep: personal', 'Kept review', 'It names or attacks a person'],
  ['keep, personally I see nothing in it', 'Kept review', 'personally I see nothing in it'],
  ['laterAction', 'Decided about review', 'laterAction'],
])('a decision that is noted as "%s" reads "%s" with the reason %j', (reason, words, shown) => {
  const decision = entry({ act: 'moderateReview', subjectKind: 'review', reason });
  expect(actionText(decision)).toBe(words);
  expect(reasonOf(decision)).toBe(shown);
});

test.each([
  ['blocked: Spam.', 'Spam.'],
  ['unblocked: A mistake.', 'A mistake.'],
  ['unblocked', undefined],
])('of a block that is noted as "%s" the reason is %j', (reason, shown) => {
  expect(reasonOf(entry({ act: 'blockUser', reason }))).toBe(shown);
});
