import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SEEDED_FAULTS } from '../../torture/seeded-faults.ts';

const read = (pattern: string) => globSync(pattern).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const SERVER = read('src/server/**/*.ts');
const CLIENT = read('src/client/**/*.{ts,tsx}');
const CONTRACT = read('src/contract/**/*.ts');

/** Where a pattern stands, as `file: text`; comments do not count. */
function findings(files: typeof SERVER, pattern: RegExp): string[] {
  return files.flatMap(({ path, text }) => {
    const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/[^\n]*/g, '$1');
    return [...code.matchAll(pattern)].map(([found]) => `${path}: ${found.trim()}`);
  });
}

test('the rules look at the whole product', () => {
  expect(SERVER.length).toBeGreaterThan(80);
  expect(CLIENT.length).toBeGreaterThan(60);
  expect(findings(SERVER, /createHash\('sha256'\)|hash\('sha256'/g).length).toBeGreaterThan(0);
});

test('no file has more than 300 lines', () => {
  const around = read('{tests,torture,bench,bin}/**/*.{ts,tsx,mjs}');
  expect(around.length).toBeGreaterThan(300);
  const long = [...SERVER, ...CLIENT, ...CONTRACT, ...around].filter(({ text }) => text.split('\n').length > 301);
  expect(long.map(({ path }) => path)).toEqual([]);
});

test('the server runs no code and no program made of text', () => {
  const all = [...SERVER, ...CONTRACT];
  expect(findings(all, /\beval\(|new Function\(|node:vm|new RegExp\((?!['"`/])/g)).toEqual([]);
  expect(findings(all, /node:child_process/g)).toEqual([]);
});

test('raw SQL is made of constants only', () => {
  // Statements of migrations and settings are constants of the code, built there and nowhere else.
  const raw = findings(SERVER, /sql\.raw\(|sql\.lit\(/g).filter((found) => !found.startsWith('src/server/database/'));
  expect(raw).toEqual([]);
  expect(findings(SERVER, /\.exec\(`[^`]*\$\{(?!name\}|BUSY)[^`]*`\)/g)).toEqual([]);
});

test('SQL stands in queries.ts and in the database folder alone', () => {
  const sql =
    /from 'kysely'|\b(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(|\bsql(?:<[^`]*>)?`/g;
  const isMeant = (found: string) => /^src\/server\/(?:database\/|[^:]*[/-]queries\.ts)/.test(found);
  const all = findings(SERVER, sql);
  expect(all.filter(isMeant).length).toBeGreaterThan(100);
  expect(all.filter((found) => !isMeant(found))).toEqual([]);
});

test('schools, entries and counts are read through visibility, which leaves out what is deleted', () => {
  const reads = findings(SERVER, /selectFrom\(\[?\s*['"`](?:schools|entries|review_counts)\b[^)]*/g);
  const elsewhere = reads
    .map((found) => found.split(':')[0] as string)
    .filter((file) => !/^src\/server\/(?:visibility|commands\/count-checks|database)\//.test(file));
  expect([...new Set(elsewhere)].sort()).toEqual([
    // Reads which names are taken, also by what is deleted or was merged.
    'src/server/data/imports/queries.ts',
    // Locks rows, and then reads those that are not deleted.
    'src/server/moderation/merging/queries.ts',
    // Reads the highest id of all.
    'src/server/profiles/queries.ts',
    // Tells whether the entry of a review is deleted.
    'src/server/reviews/states/queries.ts',
  ]);
});

test('reviews are read through visibility alone, which says what is visible', () => {
  const reads = findings(SERVER, /(?:selectFrom|(?:inner|left|right|full)Join|using)\(\[?\s*['"`]reviews\b[^)]*/g);
  const elsewhere = reads.filter(
    (found) => !/^src\/server\/(?:visibility\/|commands\/count-checks\/|database\/migrations\/)/.test(found),
  );
  // The audit trail names the entry of a review that an admin decided about, for admins.
  expect(elsewhere.map((found) => found.split(':')[0])).toEqual(['src/server/audit/queries.ts']);
  expect(reads.length).toBeGreaterThan(elsewhere.length);
  const writes = findings(SERVER, /(?:insertInto|updateTable|deleteFrom)\('reviews'\)/g).map(
    (found) => found.split(':')[0],
  );
  expect([...new Set(writes)].sort()).toEqual([
    'src/server/reviews/helpful/queries.ts',
    'src/server/reviews/queries.ts',
    'src/server/reviews/signature-queries.ts',
    'src/server/reviews/states/queries.ts',
  ]);
});

test('log messages are literals', () => {
  expect(findings(SERVER, /\blog\.(?:trace|debug|info|warn|error|fatal)\(\s*(?:`|[a-z]\w*\s*[,)+])/g)).toEqual([]);
});

test('the browser is never given markup as text', () => {
  expect(findings(CLIENT, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySetInnerHTML/g)).toEqual(
    [],
  );
  expect(findings(CLIENT, /localStorage|document\.cookie/g)).toEqual([]);
});

test('what a form or button sends goes through the guard against two quick clicks', () => {
  const senders = findings(CLIENT, /\buseMutation\b/g).map((found) => found.split(':')[0]);
  expect([...new Set(senders)]).toEqual(['src/client/guard.ts']);
});

test('tokens are signed in one place', () => {
  const signers = findings(SERVER, /new SignJWT\(/g).map((found) => found.split(':')[0]);
  expect(signers).toEqual(['src/server/security/tokens.ts']);
  const callers = findings(SERVER, /\bsignToken\(|\bissueToken\(/g).map((found) => found.split(':')[0]);
  expect([...new Set(callers)].sort()).toEqual([
    'src/server/accounts/login.ts',
    'src/server/accounts/mine/account-changes.ts',
    'src/server/accounts/sessions.ts',
    'src/server/security/tokens.ts',
  ]);
});

test('cache tags are made in one place', () => {
  const makers = findings(SERVER, /\bmakeTag\(/g).map((found) => found.split(':')[0]);
  expect([...new Set(makers)].sort()).toEqual(['src/server/database/change-tags.ts', 'src/server/http/cache/tags.ts']);
});

test('no expression looks for something after blanks', () => {
  // An expression such as /\s+x/ reads a run of blanks again from each blank if no x follows: in quadratic time. /\s+/
  // alone does not.
  const all = [...SERVER, ...CLIENT, ...CONTRACT];
  expect(findings(all, /[(\s]\/\\s[*+]\/g/g).length).toBeGreaterThan(0);
  expect(findings(all, /[(\s]\/\\s[*+](?!\/)[^\n]*/g)).toEqual([]);
});

test('chance comes from node:crypto', () => {
  // Generated sample data is meant to be the same each time, and is nobody's secret.
  const random = findings([...SERVER, ...CONTRACT, ...CLIENT], /Math\.random\(/g);
  expect(random.filter((found) => !found.startsWith('src/server/data/generated/'))).toEqual([]);
});

test('no weak hash is used', () => {
  expect(findings(SERVER, /['"`](?:md5|sha1|md4|ripemd160)['"`]/gi)).toEqual([]);
  const hashes = findings(SERVER, /(?:createHash|createHmac|hash|hkdfSync)\('([a-z0-9]+)'/g);
  expect(hashes.filter((found) => !found.includes("'sha256'"))).toEqual([]);
});

test('no certificate goes unchecked', () => {
  expect(findings(SERVER, /rejectUnauthorized\s*:\s*false|NODE_TLS_REJECT_UNAUTHORIZED/g)).toEqual([]);
});

test('no spreadsheet leaves the product', () => {
  expect(findings(SERVER, /text\/csv/g)).toEqual([]);
});

test('every export is imported somewhere', () => {
  const all = read('{src,tests,bench,torture,bin}/**/*.{ts,tsx,mjs}');
  const words = new Map(all.map(({ path, text }) => [path, new Set(text.match(/\w+/g))]));
  const unused = [...SERVER, ...CLIENT, ...CONTRACT].flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm)]
      .map(([, name = '']) => name)
      .filter((name) => ![...words].some(([other, used]) => other !== path && used.has(name)))
      .map((name) => `${path}: ${name}`),
  );
  expect(unused).toEqual([]);
});

test('each seeded fault has a place in the source where it can be put', () => {
  const edits = SEEDED_FAULTS.flatMap((fault) => fault.edits);
  const lost = edits.filter(({ file, text }) => !readFileSync(file, 'utf8').includes(text));
  expect(lost.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});
