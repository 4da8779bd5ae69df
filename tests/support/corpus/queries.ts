import { category, createEntry, postReview } from '../rows.ts';
import type { World } from '../world.ts';
import type { Case } from './case.ts';

const LIMIT = /^The limit (must be a whole number from 1 to|contains characters that cannot) /;
const EMAIL = /^Please enter a valid email address\.$/;
const CURSOR = /^The cursor /;
const PREFIX = /^The prefix /;
const MIN_RATING = /^The minimum rating must be a number from 0\.5 to 5\.$/;

const SEARCH = '/auth/searchSchools';

/** Wrong spellings of a number that says how many. */
const WRONG_LIMITS = [
  ...['0', '-1', '+1', '1.0', '1.5', '1e2', '0x10', 'abc', 'NaN', 'Infinity', 'null', 'true', '', '%00', '%20'],
  ...['%201', '1%20', '1,2', '١', '１', '9007199254740993', '99999999999999999999', '1'.repeat(300), '1;2', '[1]'],
  ...['{}'],
];

/** Invalid cursors of a list. */
const WRONG_CURSORS = [
  ...['', 'x', '1', '1-', '-1', '1-2-3', '-1-1', '1--1', '1.5-1', '1-1e3', 'a-b', '1-b', '1-1%20', '%201-1', '1_1'],
  ...['%00', '1%00-1', '١-١', '12345678901234567-1', '1-12345678901234567', '1-1%27%20or%201=1', "'", '1-1;'],
];

/** Wrong spellings of the mailbox that a passcode goes to. */
const WRONG_EMAILS = [
  ...['', 'x', 'a@', '@b.co', 'a@b', 'a@@b.co', 'a b@c.co', '%00@b.co', 'a@b.co%00', 'a@b.co%0d%0aBcc:c@d.co'],
  ...['a@b..co', 'a@.b.co', 'a@b.co.', 'a@-b.co', 'a@b-.co', 'a@b_c.co', 'a@[127.0.0.1]', 'x%3Ca@b.co%3E'],
  ...['%22a%22@b.co', 'a@b.co,c@d.co', 'a@b.co;c@d.co', '(c)a@b.co', 'a@b.co(c)', 'group:a@b.co;', 'a%0a@b.co'],
  ...['ａ@b.co', 'a@ｂ.co', 'a@xn--%ff.co', `${'x'.repeat(250)}@b.co`, `a@${'x'.repeat(64)}.co`, 'mailto:a@b.co'],
  ...['a@b.co?x=y'],
];

const encode = (text: string) => (text.includes('%') ? text : encodeURIComponent(text));

function refused(method: string, path: string, name: string, query: string, says?: RegExp): Case {
  return {
    name: `query ${name} ${query.slice(0, 60)}`,
    method,
    path: `${path}?${query}`,
    status: 400,
    names: /limit|before|prefix|minRating|country|order|category|\bq\b/.exec(query)?.[0] ?? 'email',
    ...(says && { says }),
  };
}

/** Wrong spellings of an id. */
const WRONG_IDS = [
  ...['0', '-1', '+1', '1.5', '1e2', '0x10', 'abc', 'null', '', '%00', '%201', '1,2', '١', '9007199254740993'],
];

/** Wrong queries of calls that need a token. */
function signedInCases({ admin: { token } }: World): Case[] {
  const cases = (name: string, field: string, queries: readonly string[], says: RegExp): Case[] =>
    queries.map((query) => ({ ...refused('GET', `/auth/${name}`, name, query, says), names: field, token }));
  const ids = (name: string, field: string, title: string, others = '') => {
    const wrong = WRONG_IDS.map((text) => `${field}=${encode(text)}${others}`);
    return [
      ...cases(name, field, wrong, new RegExp(`^The ${title} (must be a positive whole number|contains characters)`)),
      ...cases(name, field, [`${field}=1&${field}=2${others}`], new RegExp(`^The ${title} `)),
    ];
  };
  const STATE = /^The state must be open, accepted, or refused\.$/;
  return [
    ...ids('previewMerge', 'from', 'id from', '&into=1'),
    ...ids('previewMerge', 'into', 'id into', '&from=1'),
    ...cases('previewMerge', 'from', ['', 'into=1', 'FROM=1&into=2', 'from[]=1&into=2'], / id from is missing\.$/),
    ...cases('previewMerge', 'into', ['from=1', 'from=1&into=1'], / (id into is missing|into itself)\.$/),
    ...ids('getAdminActTotal', 'userId', 'userId'),
    ...ids('getAdminActTotal', 'subjectId', 'subjectId'),
    ...cases('getAdminActTotal', 'act', ['act=', 'act=%20', `act=${'a'.repeat(65)}`, 'act=a%00'], /^The act /),
    ...cases(
      'getAdminActTotal',
      'subjectKind',
      ['subjectKind=', 'subjectKind=club'],
      /^The subjectKind must be school, /,
    ),
    ...cases('getProposals', 'state', ['state=', 'state=closed', 'state=OPEN', 'state=open&state=refused'], STATE),
    ...['getProposals', 'getMyProposals'].flatMap((name) => [
      ...cases(name, 'limit', [...WRONG_LIMITS.map((text) => `limit=${encode(text)}`), 'limit=101'], LIMIT),
      ...cases(
        name,
        'before',
        WRONG_CURSORS.map((text) => `before=${encode(text)}`),
        CURSOR,
      ),
    ]),
  ];
}

export async function wrongQueryCases(world: World): Promise<Case[]> {
  const { product, user } = world;
  const entry = await createEntry(product, category);
  await postReview(product, category, entry.id, user);
  const reviews = `/auth/${category.calls.reviews}/${entry.id}`;
  const lists = ['/auth/schools', reviews];
  return [
    ...signedInCases(world),
    ...lists.flatMap((path) =>
      WRONG_LIMITS.map((text) => refused('GET', path, 'limit', `limit=${encode(text)}`, LIMIT)),
    ),
    ...lists.flatMap((path) => [
      refused('GET', path, 'twice', 'limit=1&limit=2'),
      refused('GET', path, 'three times', 'limit=1&limit=1&limit=1'),
      refused('GET', path, 'once escaped', 'limit=1&%6cimit=2'),
    ]),
    refused('GET', '/auth/schools', 'beyond its end', 'limit=100001', LIMIT),
    refused('GET', reviews, 'beyond its end', 'limit=101', LIMIT),
    ...WRONG_CURSORS.map((text) => refused('GET', reviews, 'cursor', `before=${encode(text)}`, CURSOR)),
    refused('GET', reviews, 'cursor twice', 'before=1-1&before=1-2'),
    refused('GET', '/auth/schools', 'prefix twice', 'prefix=a&prefix=b'),
    refused('GET', '/auth/schools', 'prefix too long', `prefix=${'x'.repeat(201)}`, PREFIX),
    refused('GET', '/auth/schools', 'prefix of NUL', 'prefix=a%00', PREFIX),
    ...['0', '0.4', '5.5', '-1', 'x', '1e0', '4,5'].map((text) =>
      refused('GET', SEARCH, 'rating', `minRating=${encode(text)}`, MIN_RATING),
    ),
    ...['', 'random', 'NAME', 'name%00', 'name&order=name'].map((text) =>
      refused('GET', SEARCH, 'order', `order=${text}`, /^The order /),
    ),
    ...['getEntryVoices', 'getCategorySummary', 'getCategoryReviews'].flatMap((name) =>
      ['category=', 'category=food', 'category=CLUBS', 'category=clubs&category=jobs', 'category[]=clubs'].map(
        (query) => refused('GET', `/auth/${name}/${entry.schoolId}`, name, query, /^The category /),
      ),
    ),
    ...WRONG_LIMITS.map((text) => refused('GET', SEARCH, 'limit', `limit=${encode(text)}`, LIMIT)),
    ...['-1', '1-1', 'x'].map((text) => refused('GET', SEARCH, 'cursor', `before=${encode(text)}`, CURSOR)),
    refused('GET', SEARCH, 'beyond its end', 'limit=101', LIMIT),
    refused('GET', SEARCH, 'text twice', 'q=a&q=b', /^The search text must be text\.$/),
    refused(
      'GET',
      SEARCH,
      'text too long',
      `q=${'x'.repeat(201)}`,
      /^The search text must have at most 200 characters\.$/,
    ),
    refused('GET', SEARCH, 'text of NUL', 'q=a%00', /^The search text contains /),
    refused('GET', SEARCH, 'country too long', `country=${'x'.repeat(201)}`, /^The country must have at most 200 /),
    ...['/auth/resend', '/auth/resendForgot'].flatMap((path) => [
      ...WRONG_EMAILS.map((text) => refused('POST', path, 'email', `email=${encode(text)}`, EMAIL)),
      refused('POST', path, 'nothing', '', / is missing\.$/),
      refused('POST', path, 'in brackets', 'email[]=a@b.co', / is missing\.$/),
      refused('POST', path, 'with a key', 'email[a]=a@b.co', / is missing\.$/),
      refused('POST', path, 'in capitals', 'EMAIL=a@b.co', / is missing\.$/),
      refused('POST', path, 'twice', 'email=a@b.co&email=c@d.co'),
    ]),
  ];
}

/** Unusual queries that are accepted: unknown names are ignored, and values are taken literally. */
export function oddQueryCases(): Case[] {
  const queries = [
    ...['', '&', '&&&', '=', '=x', 'x', 'x=', 'unknown=1', 'unknown=1&unknown=2', 'limit=1&unknown[]=2', 'LIMIT=0'],
    ...['__proto__=1', '__proto__[limit]=0', 'constructor=1', 'constructor[prototype][limit]=0', 'hasOwnProperty=1'],
    ...['prefix=', 'prefix=%25', 'prefix=_', 'prefix=%27', 'prefix=%F0%9F%98%80', 'prefix=a+b', 'prefix=%2B'],
    ...['limit=01', 'prefix=%EF%BF%BF', 'prefix=%5C', 'prefix=%27%20or%201%3D1', 'prefix=%ff', 'prefix=%zz'],
    ...['limit=100000', 'limit=%31', `x=${'y'.repeat(4_000)}`, `${'x&'.repeat(1_000)}limit=1`, '?limit=1'],
  ];
  return queries.map((query) => ({
    name: `odd query ${query.slice(0, 40)}`,
    method: 'GET',
    path: `/auth/schools?${query}`,
  }));
}
