import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { matchedBeginning, suggestSchools } from '../../src/client/components/school/suggestions.ts';
import { isAcceptedEmail, looksLikeEmail } from '../../src/contract/email.ts';
import { exactNameKey, foldAccents, foldSearch, nameKey, searchForms } from '../../src/contract/folding.ts';
import { PROFILE_FIELDS, type Preferences } from '../../src/contract/profiles.ts';
import { RATINGS, starFills, starLabel } from '../../src/contract/stars.ts';
import { clientBlock, createAddressLimit } from '../../src/server/http/limits/addresses.ts';
import { checkModelAnswer } from '../../src/server/profiles/model-answer.ts';

describe('stars', () => {
  test.each([
    [0, 'eeeee'],
    [0.24, 'eeeee'],
    [0.25, 'heeee'],
    [0.5, 'heeee'],
    [0.74, 'heeee'],
    [0.75, 'eeeee'],
    [3, 'fffee'],
    [3.5, 'fffhe'],
    [4.9, 'ffffe'],
    [5, 'fffff'],
  ])('%d shows as %s', (value, expected) => {
    expect(
      starFills(value)
        .map((fill) => fill[0])
        .join(''),
    ).toBe(expected);
  });

  test('ratings are the ten half stars, named as people say them', () => {
    expect(RATINGS).toEqual([0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]);
    expect([0.5, 1, 2].map(starLabel)).toEqual(['0.5 stars', '1 star', '2 stars']);
  });
});

describe('email', () => {
  test.each([
    ['a@b.co', true],
    ['a.b+c@d.e.f', true],
    ['no email', false],
    ['a@b', false],
    ['@b.co', false],
    ['a@.', false],
    ['a@b.', false],
    ['a b@c.de', false],
    ['a@b .co', false],
    ['a@b@c.de', false],
  ])('the form takes %s: %s', (email, isTaken) => {
    expect(looksLikeEmail(email)).toBe(isTaken);
  });

  test('what the server takes, the form takes too', () => {
    fc.assert(fc.property(fc.emailAddress(), (email) => !isAcceptedEmail(email) || looksLikeEmail(email)));
    expect(looksLikeEmail('x1<victim@b.co>')).toBe(true);
    expect(isAcceptedEmail('x1<victim@b.co>')).toBe(false);
  });
});

describe('addresses', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8::/64'],
    ['::1', '::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['unknown', 'unknown'],
    ['2001:db8::1::2', '2001:db8::1::2'],
  ])('%s counts as %s', (address, counted) => {
    expect(clientBlock(address)).toBe(counted);
  });

  test('one address may ask as often as allowed, and another is not held back by it', () => {
    const limit = createAddressLimit(3);
    expect([1, 2, 3, 4].map(() => limit.count('192.0.2.1') > 0)).toEqual([false, false, false, true]);
    expect(limit.count('192.0.2.2')).toBe(0);
  });
});

describe('suggestions', () => {
  const schools = ['École A', 'Ecole B', 'Zeta', 'École C', 'ecole d', 'Ecole E', 'Ecole F', 'Ecole G'].map(
    (schoolName, id) => ({ id, schoolName, country: 'France' }),
  );
  const names = (typed: string) => suggestSchools(schools, typed).map(({ schoolName }) => schoolName);

  test('names that begin exactly so come first, those but for accents fill up', () => {
    expect(names('ecole')).toEqual(['Ecole B', 'ecole d', 'Ecole E', 'Ecole F', 'Ecole G']);
    expect(names('École')).toEqual(['École A', 'École C', 'Ecole B', 'ecole d', 'Ecole E']);
    expect(names('zeta')).toEqual(['Zeta']);
    expect(names('nothing')).toEqual([]);
    expect(names('cole')).toEqual([]);
  });

  test.each([
    ['école', 'École A', 'École'],
    ['e\u0301cole', 'École A', 'École'],
    ['\u1109\u1165\u110b\u116e\u11af', '서울대학교', '서울'],
    ['strasse', 'Straße der Künste', 'Straße'],
    ['ss', 'ß\u{20bb7}', 'ß'],
    ['', 'Zeta', ''],
  ])('what was typed as %j is marked in %j as %j', (typed, name, marked) => {
    expect(matchedBeginning(name, typed)).toBe(marked);
  });
});

test('the order of names has no case and no accents', () => {
  expect(foldAccents('École ÄRZTE')).toBe('ecole arzte');
});

test('the search takes letters of another width and the signs of transcriptions as people type them; stored keys keep them', () => {
  expect(['ＭＩＴ', 'Ａ＆Ｍ', 'ﾄｳｷｮｳ'].map(foldSearch)).toEqual(['MIT', 'A&M', 'トウキョウ'].map(foldSearch));
  for (const sign of ["'", '’', 'ʻ', 'ʼ', 'ʿ', '＇']) {
    expect(foldSearch(`Hawai${sign}i`)).toBe('hawaii');
    expect(searchForms(`Hawai${sign}i`)).toContain('hawai i');
  }
  expect(['ＭＩＴ', 'Hawaiʻi'].map(nameKey)).toEqual(['ｍｉｔ', 'hawaiʻi']);
});

test('names are the same but for marks that make no other word', () => {
  for (const [one, other] of [
    ['École', 'ecole'],
    ['Straße', 'STRASSE'],
    ['כּוֹס', 'כוס'],
    ['葛\u{e0100}飾', '葛飾'],
    ['서울', '서울'.normalize('NFD')],
  ] as const) {
    expect(exactNameKey(one)).toBe(exactNameKey(other));
    expect(foldSearch(one)).toBe(foldSearch(other));
  }
  for (const [one, other] of [
    ['バス', 'パス'],
    ['मेल', 'मिल'],
    ['ปู', 'ปี'],
  ] as const)
    expect(exactNameKey(one)).not.toBe(exactNameKey(other));
});

describe('what a model says', () => {
  const candidates = ['City University', 'New City University', 'Hill College'].map((schoolName, index) => ({
    ...{ id: index + 1, schoolName, aliases: [], description: 'Old.', allEntryNames: [], best: undefined },
    ...{ place: 0, score: 1 },
    ...{ location: `Town ${index + 1}, Testland`, entryNames: [`Club ${index + 1}`] },
    ...{ average: 4.5 - index, reviewCount: 12 + index },
  }));
  const quotes = [
    { number: 1, schoolId: 1, reviewId: 11, quote: 'The labs don’t close; 5 stars for that.' },
    { number: 2, schoolId: 3, reviewId: 31, quote: 'Quiet halls.' },
    { number: 4, schoolId: 1, reviewId: 12, quote: 'Write to me at evil.example' },
    { number: 5, schoolId: 1, reviewId: 13, quote: 'Ring 030 5550123 for the keys' },
    { number: 6, schoolId: 1, reviewId: 14, quote: 'Find us on WhatsApp' },
    { number: 7, schoolId: 1, reviewId: 15, quote: 'Since 2019 the 3 labs are open from 8:30 to 22:00' },
  ];
  // Safe: these are all the fields.
  const blank = Object.fromEntries(PROFILE_FIELDS.map((field) => [field, ''])) as unknown as Preferences;
  const preferences = { ...blank, finance: 'At most 20000 a year, or call 030 5550123.' };
  const given = { candidates, quotes, preferences };
  test.each([
    ['New City University fits you well.', true],
    ['I would go to city university.', true],
    ['City University and Hill College.', false],
    ['Go to Evil University.', false],
    ['City University, not the University of Nowhere.', false],
    ['City University: https://x.example', false],
    ['', false],
    ['NAME suits you. Enrol at evil.xyz/now.', false],
    ['NAME suits you. Write to apply@evil.ru.', false],
    ['NAME suits you. See bit.ly/abc.', false],
    ['NAME suits you: ftp://evil.example.', false],
    ['NAME suits you, says evil\uff0eru.', false],
    ['NAME suits you, e.g. for a B.Sc. or a Ph.D. in the U.S., at 4.5 stars.', true],
    ['NAME is rated 4.5 of 5 stars in 12 reviews.', true],
    ['NAME (4.5/5 stars, 12 reviews) suits you.', true],
    ['NAME is rated 4.5/5 (12 reviews).', true],
    ['NAME is rated 4.5/5 (12 reviews 030 5550123).', false],
    ['NAME is rated 3.5 of 5 stars.', false],
    ['NAME has 13 student reviews.', false],
    ['NAME lies in Town 3, Testland.', false],
    ['NAME has Club 1.', true],
    ['NAME has Club 3.', false],
    ['NAME suits you [1].', true],
    ['NAME suits you [2].', false],
    ['NAME suits you [1] [3].', false],
    ["NAME: “The labs don't close” [1].", true],
    ['NAME: "The labs close at six".', false],
    ["NAME, where 'The labs don’t close'.", true],
    ["NAME's labs, the students' own, are fine.", true],
    ['NAME: «Quiet halls».', false],
    ['NAME suits you. Call +49 30 5550123.', false],
    ['NAME suits you. Call (030) 55-50-12.', false],
    ['NAME suits you. Call ０３０５５５０１２３.', false],
    ['NAME suits you. Call zero three zero five five five.', false],
    ['NAME suits you. Text it to 40404.', false],
    ['NAME suits you. Open 10.0.0.1 in your browser.', false],
    ['NAME suits you. Open 2001:db8::1 in your browser.', false],
    ['NAME suits you. See evil dot example.', false],
    ['NAME suits you. Write to apply (at) evil.', false],
    ['NAME suits you. Find us on Telegram under its name.', false],
    ['NAME: “Write to me at evil.example” [4].', false],
    ['NAME: “Ring 030 5550123 for the keys” [5].', false],
    ['NAME: “Find us on WhatsApp” [6].', false],
    ['NAME: “Since 2019 the 3 labs are open from 8:30 to 22:00” [7].', true],
    ['NAME, founded in 1898, takes 4 of 10 and costs 20,000 a year.', true],
    ['NAME costs 30,000 a year.', false],
    ['NAME has Cetology1234512. Call tel0305550123.', false],
    ['NAME has Cetology1234512.', true],
    ['NAME lies in Town 1, Testland, with 3-year programmes.', true],
  ])('%j is shown: %s', (answer, isShown) => {
    expect(checkModelAnswer(answer.replace('NAME', 'City University'), given) !== undefined).toBe(isShown);
  });

  test('an answer far too long is refused before it is read', () => {
    const normalize = vi.spyOn(String.prototype, 'normalize');
    expect(
      checkModelAnswer(`City University ${'\u0301'.repeat(50_000)}${'\u0316'.repeat(50_000)}`, given),
    ).toBeUndefined();
    expect(normalize).not.toHaveBeenCalled();
    normalize.mockRestore();
  });
});
