/**
 * The requirements of OWASP ASVS 5.0 that apply, levels 1 and 2, and how each is shown. Columns: id and level; what is
 * asked; what answers it; the test that shows it as `file > words of its title`, or `exception DATE: why and what
 * mitigates it`. `docs/security.md` is made from it.
 */
const TABLE = `
1.1.1 2 | input is decoded once | the router decodes paths, checks.ts takes numbers by one form | api/corpus-ids > of $label that are none are refused
1.1.2 2 | output is escaped as the last step | React text nodes; heads.ts escapes when it writes | api/documents > markup in names stays text in the head
1.2.1 1 | output is escaped for HTML and headers | heads.ts, structured-data.ts; composeLines refuses line breaks | api/documents > markup in names stays text in the head
1.2.2 1 | addresses are encoded, schemes are safe | pageAddress, PUBLIC_URL | api/corpus-raw > links name this site, whatever a request says it is called
1.2.3 1 | no injection into JSON or script | structured-data.ts escapes "<"; no inline script | api/documents > markup in names stays text in the head
1.2.4 1 | parameters, no SQL out of strings | Kysely; raw SQL only of constants | unit/source-rules > raw SQL is made of constants only
1.2.5 1 | no operating system commands from input | the server starts no program | unit/source-rules > the server runs no code and no program made of text
1.2.9 2 | no regular expressions from input | literals only | unit/source-rules > the server runs no code and no program made of text
1.3.2 1 | no dynamic code | no eval, no Function; CSP without unsafe-eval | unit/source-rules > the server runs no code and no program made of text
1.3.3 2 | limits before dangerous places | lengths and forms in the contract | api/corpus-fields > name refuses each field that is wrong
1.3.5 2 | no markup languages from users | texts are shown as characters | api/corpus-texts > a naughty %s comes back as sent or is refused
1.3.6 2 | no requests to addresses from users | only SMTP and the model are spoken to | api/recommendation > its prompt holds the preferences fenced as data
1.3.7 2 | no templates from input | mails and heads are fixed texts | api/accounts > the mail goes to the stored mailbox, as text
1.3.10 2 | no format strings from input | pino takes objects; messages are literals | unit/source-rules > log messages are literals
1.3.11 2 | no injection into mail | stored address as an object, HTML's email syntax | api/accounts > the mailbox %j is refused with the sentence of the form
1.4.2 2 | number ranges | Id, limits and half stars in the contract | api/corpus-ids > there are 26 for each of the calls with an id
1.5.2 2 | safe parsing | json-body.ts: prototypes and deep nesting refused | api/corpus-bodies > what is nested deeper than any call needs is refused before anything is built from it
2.1.1 1 | rules for input are written down | the contract, shown at /docs | api/documents > the API document describes every call with its access
2.1.2 2 | rules for combinations are written down | contract and docs/specification.md | unit/specification-page > there is the test that docs/specification.md names
2.1.3 2 | limits are written down | limits.ts, docs/limits.md | unit/limits-page > docs/limits.md is what the tables say
2.2.1 1 | input by allow-list | schemas of the contract | api/corpus-fields > name refuses each field that is wrong
2.2.2 1 | checked on the server | the corpus speaks HTTP | api/corpus-bodies > name refuses a body that is none
2.2.3 2 | sensible combinations | an entry of another category, another school, another user | api/entries > an entry is invisible through the calls of the other categories
2.3.1 1 | steps in order | purposes of codes, verified before login | api/passcodes > a code is good once, for ten minutes, for its purpose, and only the newest
2.3.2 2 | limits of the domain hold | limits.ts; reports and appeals are counted by their rows | api/limits > a user asks for ten recommendations an hour
2.3.3 2 | all or nothing | one transaction for each act; a decision writes state, counts, receipt, public line, queue and mail in one | api/reviews > two corrections at once leave the counters equal to the rows
2.3.4 2 | nothing booked twice | unique (entry, user), unique (review, reporter), locked admins, locked reviews | api/reviews > of fifty equal posts at once one is taken and the others are told
2.4.1 2 | against automation | limits by address, account and user; bursts of new accounts are checked | api/limits > an address signs up thirty times an hour
3.2.1 1 | answers are not taken for pages | nosniff, CSP default-src 'none' | api/documents > every answer is protected by its headers
3.2.2 1 | text is rendered as text | React; no innerHTML | unit/source-rules > the browser is never given markup as text
3.4.1 1 | HSTS for a year | when PUBLIC_URL is https | api/documents > every answer is protected by its headers
3.4.2 1 | CORS | no Allow-Origin at all | api/corpus-framing > what everyone may read, a page of %s may not
3.4.3 2 | content security policy | protection.ts | api/documents > every answer is protected by its headers
3.4.4 2 | nosniff | protection.ts | api/documents > every answer is protected by its headers
3.4.5 2 | referrer policy | no-referrer | api/documents > every answer is protected by its headers
3.4.6 2 | no framing | frame-ancestors 'none', X-Frame-Options | api/documents > every answer is protected by its headers
3.5.1 1 | no cross-site requests | Sec-Fetch-Site and Origin; the token is no cookie | api/corpus-framing > a change asked for by another site is refused
3.5.2 1 | no simple cross-site requests | JSON only, else 415 | api/corpus-framing > a body that says it is not JSON is refused
3.5.3 1 | reading changes nothing | GET and HEAD write nothing | api/corpus-framing > HEAD %s is GET without a body
3.7.1 2 | current technology only | no plug-ins, evergreen browsers | browser/journey > somebody signs up, verifies, logs in
3.7.2 2 | redirects only to ourselves | return places are paths of our router | api/corpus-raw > no address leads elsewhere
4.1.1 1 | type with charset | every answer | api/access-matrix > call answers each identity as the table says
4.1.3 2 | headers of proxies | TRUST_PROXY names ranges; none by default | api/limits > what an untrusted sender says of its address counts for nothing
4.2.1 2 | framing of messages | Node's strict parser; close after errors | api/corpus-raw > what is no HTTP is refused, and nothing after it on the line is served
5.1.1 2 | files that are taken are written down | README: import | api/commands > reads CSV as spreadsheets write it
5.2.1 1 | size of files | imports stream or refuse | api/commands > reads half a gigabyte of nonsense in little memory
5.2.2 1 | content fits | each row is checked | api/commands > reports each bad row with its number and keeps the others
5.3.2 1 | no paths from users | hashed assets only | api/corpus-raw > no address gives a file that is not of the built product
6.1.1 1 | brute force rules are written | limits, docs/limits.md | unit/limits-page > docs/limits.md is what the tables say
6.1.2 2 | context words | site name, username, parts of the email | api/accounts > a password of %s is judged
6.1.3 2 | ways to sign in are written | login, reset by mail, command line: docs/operations.md | unit/security-page > docs/security.md is what the tables say
6.2.1 1 | 8 characters at least | contract; the form advises 15 | api/accounts > a password of %s is judged
6.2.2 1 | passwords can be changed | changePassword | api/sessions > changing the password needs the old one and ends the other sessions
6.2.3 1 | with the old one | changePassword | api/sessions > changing the password needs the old one and ends the other sessions
6.2.4 1 | not one of the 3,000 usual | 195,592 passwords out of breaches, shipped | unit/common-passwords > is a common password
6.2.5 1 | any characters | Unicode, no composition rules | api/accounts > a password of %s is judged
6.2.6 1 | masked | type=password with a toggle | browser/accounts > passwords that differ are refused, in the words of each page
6.2.7 1 | paste and managers | autocomplete tokens, nothing blocked | browser/accounts > passwords that differ are refused, in the words of each page
6.2.8 1 | as typed | not trimmed, not cut, not folded | api/accounts > a password of %s is judged
6.2.9 2 | 64 at least allowed | 256 | api/accounts > a password of %s is judged
6.2.10 2 | no forced rotation | there is none | api/sessions > a session ends after 24 hours and after 4 unused
6.2.11 2 | context words refused | new-password.ts | api/accounts > a password of %s is judged
6.2.12 2 | breached ones refused | the same list | unit/common-passwords > it holds more than 100,000 passwords that could be chosen, sorted, each once
6.3.1 1 | the controls work, and lock nobody else out | limits by account and address; a known pair passes those of its address | api/shared-address > fifty wrong passwords of others do not keep out who has logged in there
6.3.2 1 | no default accounts | none in production; the sample admin's password is random for each database, and production warns while it is in use | api/process > in production the sample admin's printed password is warned of until it is changed
6.3.3 2 | two factors | | exception 2026-11-21: one factor. Verified mailbox, throttles, breached passwords refused, short sessions for admins, audit trail; opt-in TOTP for admins is next
6.3.4 2 | no hidden way in | two functions sign tokens | unit/source-rules > tokens are signed in one place
6.4.1 1 | first codes are random and short-lived | randomInt, ten minutes | api/passcodes > a code is good once, for ten minutes, for its purpose, and only the newest
6.4.2 1 | no hints or questions | there are none | browser/journey > somebody signs up, verifies, logs in
6.4.3 2 | safe reset | by mail, ends all sessions | api/sessions > a reset ends every session, one opened in the same second included
6.5.1 2 | codes once | deleted when used | api/passcodes > a code is good once, for ten minutes, for its purpose, and only the newest
6.5.2 2 | codes stored hashed | keyed with a secret outside the database, salted | api/secret-rotation > while the secret is being changed, tokens and codes of both are taken
6.5.3 2 | codes from a secure source | node:crypto | unit/source-rules > chance comes from node:crypto
6.5.4 2 | 20 bits at least | a million codes, five tries | api/passcodes > five wrong tries void a code, also a hundred at once
6.5.5 2 | ten minutes | from the hand-over to the mail server | api/passcodes > a code is good once, for ten minutes, for its purpose, and only the newest
6.6.2 2 | bound to its request | account, purpose, newest only | api/passcodes > a code is good once, for ten minutes, for its purpose, and only the newest
6.6.3 2 | guessing limited | 5 a code, 20 a day, 20 an hour by address and by account and address | api/passcodes > twenty wrong codes a day are all there are, however many are sent
7.1.1 2 | lives are written | LIVES in sessions.ts, docs/operations.md | api/sessions > a session ends after 24 hours and after 4 unused
7.1.2 2 | parallel sessions are written | 20 of a user, the oldest ends; ended together | api/sessions > a user has twenty sessions at once, and the oldest ends when there are more
7.2.1 1 | verified on the server | signature and row with each call | api/access-matrix > call answers each identity as the table says
7.2.2 1 | made for the session | one row a token | api/sessions > logging out ends this token, logging out everywhere ends all
7.2.4 1 | new at each login | a new jti | api/sessions > logging out ends this token, logging out everywhere ends all
7.3.1 2 | idle end | 4 h, admins 1 h | api/sessions > a session ends after 24 hours and after 4 unused
7.3.2 2 | absolute end | 24 h, admins 12 h | api/sessions > a session ends after 24 hours and after 4 unused
7.4.1 1 | logout ends the token | the row goes | api/access-matrix > a token that was logged out opens no guarded call
7.4.2 1 | deletion ends all | rows go with the user | api/access-matrix > call answers each identity as the table says
7.4.3 2 | a reset ends the others | all sessions of the user | api/sessions > a reset ends every session, one opened in the same second included
7.4.4 2 | logout is visible | in the menu of every page | browser/accounts > logging out forgets the token and goes to the dashboard
7.4.5 2 | an admin can end sessions | by deleting the user; demotion counts at once | api/access-matrix > an admin no more is refused by every call of admins
7.5.2 2 | see and end one's own | all at once | exception 2026-11-21: sessions are ended together by logoutAll on /profile, not listed one by one
8.1.1 1 | rules for calls are written | docs/access.md | unit/access-page > docs/access.md is the table of who may do what
8.1.2 2 | rules for fields are written | docs/access.md, fields for each role | unit/access-page > docs/access.md is the table of who may do what
8.2.1 1 | by function | access of each call has no default | api/access-matrix > call answers each identity as the table says
8.2.2 1 | by object | owner from the session: profiles, reviews, receipts, appeals, marks | api/recommendation > nobody else reads or writes it, not even an admin
8.2.3 2 | by field | answers have the fields of the table: neither author nor reporter in any of the queue | api/access-matrix > call answers each identity as the table says
8.3.1 1 | on the server | as above | api/access-matrix > call answers each identity as the table says
9.1.1 1 | tokens are authenticated | HMAC | api/sessions > a forged token is refused
9.1.2 1 | algorithms by allow-list | HS256 only | api/sessions > a forged token is refused
9.1.3 1 | keys from ourselves | no jwk, jku, kid | api/sessions > a forged token is refused
9.2.1 1 | validity in time | exp and the row | unit/tokens > a token says when it ends, and is of no use from then on
9.2.2 2 | type | typ JWT | unit/tokens > a token of our own key without %s is of no use
9.2.3 2 | audience | aud and iss | unit/tokens > a token of our own key without %s is of no use
11.1.1 2 | keys are managed by rule | docs/operations.md: changing the secret | api/secret-rotation > while the secret is being changed, tokens and codes of both are taken
11.1.2 2 | inventory of cryptography | below | unit/security-page > docs/security.md is what the tables say
11.2.1 2 | proven libraries | node:crypto, jose, @node-rs/argon2 | unit/source-rules > no weak hash is used
11.2.2 2 | algorithms can be changed | TOKEN_SECRET_PREVIOUS; hashes say their parameters | api/secret-rotation > while the secret is being changed, tokens and codes of both are taken
11.2.3 2 | 128 bits at least | 32-byte secrets, HS256 | api/process > a bad %s ends the start with one line that names it
11.4.1 1 | sound hashes | SHA-256, Argon2id | unit/source-rules > no weak hash is used
11.4.2 2 | password hash | Argon2id 19 MiB, t=2, p=1 | api/hash-count > a wrong password is hashed once, whether or not there is such an account
11.4.3 2 | long enough hashes | 256 bits | unit/source-rules > no weak hash is used
11.5.1 2 | unguessable chance | node:crypto | unit/source-rules > chance comes from node:crypto
12.3.1 2 | encrypted outwards | smtps or STARTTLS, sslmode, https | exception 2026-11-21: the operator's addresses decide; docs/deployment.md names sslmode=verify-full and smtps; a plain SMTP host is not refused
12.3.2 2 | certificates are checked | Node's defaults, nothing turned off | unit/source-rules > no certificate goes unchecked
13.1.1 2 | connections are listed | below | unit/security-page > docs/security.md is what the tables say
13.2.4 2 | only those that are allowed | SMTP, model and PostgreSQL as set | api/recommendation > when it redirects the prompt to another host, that host receives nothing
13.2.5 2 | no others from the server | as above | api/recommendation > when it redirects the prompt to another host, that host receives nothing
13.3.2 2 | least privilege for secrets | DATA_DIR 0700, token-secret 0600 | api/security > the data folder and the secret in it are nobody else’s
13.4.1 1 | no .git | only hashed assets are served | api/corpus-raw > no address gives a file that is not of the built product
13.4.2 2 | no debugging | failures say one sentence | api/properties > name answers as documented whatever is wrong with a request
13.4.3 2 | no listings | no folder is served | api/corpus-raw > no address gives a file that is not of the built product
13.4.4 2 | no TRACE | 404 or refused | api/corpus-framing > a method that an address does not have is refused
13.4.5 2 | documents and metrics on purpose | /docs is public; METRICS_TOKEN closes /metrics, the sample proxy denies it | api/metrics > are for whoever has the token, and for this machine
14.1.1 2 | classes of data are written | below | unit/security-page > docs/security.md is what the tables say
14.1.2 2 | and their protection | below | unit/security-page > docs/security.md is what the tables say
14.2.1 1 | no secrets in addresses | handed over in memory | browser/accounts > a forgotten password is changed without the new one ever being in an address
14.2.2 2 | not cached | no-store for all that is private | api/read-cache > with SHARED_CACHE_SECONDS=%s, of public answers and of no others
14.2.3 2 | nothing to strangers | own origin only; the model gets no name | api/recommendation > its prompt holds the preferences fenced as data
14.2.4 2 | protected as classed | mailboxes and hashes in no answer | api/users > an admin lists users with nothing but id, name and flag
14.3.1 1 | cleared at the end | token, cache, pages and drafts | browser/drafts > is forgotten when they log out, so that the next user of the tab does not find it
14.3.2 2 | no-store | private answers | api/access-matrix > call answers each identity as the table says
14.3.3 2 | only the token is stored | sessionStorage | browser/accounts > a forgotten password is changed without the new one ever being in an address
15.1.1 1 | times to update | below | unit/security-page > docs/security.md is what the tables say
15.1.2 2 | bill of materials | npm run sbom | unit/supply-chain > every package is pinned by its hash and comes without an address
15.1.3 2 | costly functions are written | limits, admission | api/admission > what has waited too long under overload is refused at once
15.2.1 1 | nothing past its time | minimum versions | unit/supply-chain > nothing is older than its known holes
15.2.2 2 | availability | admission, limits, timeouts | api/admission > what has waited too long under overload is refused at once
15.2.3 2 | nothing extra in production | production tree without development packages | unit/supply-chain > production has no package of development
15.3.1 1 | only the fields needed | explicit answers, also in queue, removals and newest reviews | api/access-matrix > no public answer tells who wrote an anonymous review
15.3.2 2 | no redirects followed | the model's 307 is a failure | api/recommendation > when it redirects the prompt to another host, that host receives nothing
15.3.3 2 | mass assignment | what the contract does not name is left behind | api/corpus-bodies > name stores and answers nothing that it was not asked for
15.3.4 2 | true address | TRUST_PROXY | api/limits > of the addresses a proxy names only the last counts
15.3.5 2 | types | compiled schemas | api/corpus-fields > name refuses each field that is wrong
15.3.6 2 | prototypes | refused or left behind | api/corpus-bodies > what a parser may take either way is refused either way
15.3.7 2 | repeated parameters | 400 | api/corpus-framing > a query that is wrong is refused with what is wrong
16.1.1 2 | inventory of logs | below | unit/security-page > docs/security.md is what the tables say
16.2.1 2 | who, when, where | pino lines and the audit trail, with the reason of decisions and reveals | api/audit > notes %s once, with who, what and when
16.2.2 2 | UTC | ISO 8601, Z | api/security > every log line is JSON with a time in UTC
16.2.3 2 | only where it belongs | standard output | api/security > every log line is JSON with a time in UTC
16.2.4 2 | one format | JSON lines | api/security > every log line is JSON with a time in UTC
16.2.5 2 | redacted | no query, no header, no body | api/documents > no log line holds a query string
16.3.1 2 | logins are logged | events | api/security > what matters for security is logged by name
16.3.2 2 | refusals are logged | events | api/security > what matters for security is logged by name
16.3.3 2 | tries to get past are logged | dead-token, forbidden, 429 | api/security > what matters for security is logged by name
16.3.4 2 | failures are logged | unavailable, shedding, outbox, crash | api/admission > what has waited too long under overload is refused at once
16.4.1 2 | no injection into logs | JSON | api/security > every log line is JSON with a time in UTC
16.5.1 2 | generic errors | one sentence | api/properties > name answers as documented whatever is wrong with a request
16.5.2 2 | others may fail | mail waits, the built-in recommender answers, cached responses | api/postgres-faults > what is cached is answered, the rest is 503
16.5.3 2 | fails closed | a failed check of access is a 503 | api/postgres-faults > what is cached is answered, the rest is 503
`;

export interface Requirement {
  readonly id: string;
  readonly level: 1 | 2;
  readonly asked: string;
  readonly answer: string;
  readonly shownBy: { readonly file: string; readonly title: string } | undefined;
  /** A dated exception, in words. */
  readonly exception: string | undefined;
}

export const REQUIREMENTS: readonly Requirement[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [name = '', asked = '', answer = '', shown = ''] = line.split('|').map((cell) => cell.trim());
    const [id = '', level] = name.split(' ');
    const exception = /^exception (.+)$/.exec(shown)?.[1];
    const [file = '', title = ''] = shown.split(' > ');
    return {
      id,
      level: level === '1' ? 1 : 2,
      asked,
      answer,
      shownBy: exception === undefined ? { file: `tests/${file}.test.ts`, title } : undefined,
      exception,
    };
  });

/** Duties of whoever runs it; the product helps (docs/deployment.md). */
export const OPERATORS = [
  ...['12.1.1', '12.2.1', '12.2.2', '3.5.4', '4.1.2', '12.1.2', '12.3.3', '12.3.4', '13.2.1', '13.2.2', '13.2.3'],
  ...['13.3.1', '16.4.2', '16.4.3'],
];

/** Kept as they were applied to no part of the product, so that a reader can object. */
export const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  '1.3.1, 1.5.1, 1.2.6 to 1.2.8, 1.3.4, 1.3.8, 1.3.9, 1.4.1, 1.4.3': 'no such technology; memory is managed',
  '3.3.1 to 3.3.4, 3.5.5': 'no cookies and no postMessage',
  '4.4.1, 4.3.1, 4.3.2, 4.4.2 to 4.4.4': 'no GraphQL, no WebSocket',
  '5.3.1, 5.2.3, 5.4.1 to 5.4.3': 'nobody uploads or downloads files of users',
  '6.4.4, 6.6.1, 6.8.1 to 6.8.4': 'no phone codes, no identity provider',
  '7.2.3, 7.1.3, 7.5.1, 7.6.1, 7.6.2': 'sessions are rows with 128 random bits; no federation',
  '8.4.1': 'one tenant',
  '9.2.4': 'one issuer, one audience',
  'all of V10': 'no OAuth',
  '11.3.1 to 11.3.3, 11.4.4, 11.6.1': 'nothing is encrypted or signed with public keys by the application',
  '12.1.3': 'no client certificates',
  'all of V17': 'no WebRTC',
};
