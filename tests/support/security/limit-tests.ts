import type { BOUNDS } from '../../../src/server/http/limits/bounds.ts';
import type { LIMITS } from '../../../src/server/http/limits/limits.ts';
import type { TIME_BUDGETS } from '../../../src/server/http/limits/time-budgets.ts';

/** The test that meets each limit, as `file > words of its title`; `docs/limits.md` is made from it. */
export const LIMIT_TESTS: Readonly<Record<keyof typeof LIMITS | 'requestsPerMinute', string>> = {
  wrongPasswords: 'api/limits > ten wrong passwords lock an account for one address and no other',
  wrongPasswordsInARow:
    'api/limits > a hundred wrong passwords in a row lock an account for every address until it is reset',
  wrongPasswordsByAddress:
    'api/limits > fifty wrong passwords for whatever accounts lock an address, a whole /64 of IPv6',
  wrongPasscodes: 'api/passcodes > twenty wrong codes a day are all there are, however many are sent',
  wrongPasscodesByAddress: 'api/limits > twenty wrong passcodes for whatever accounts stop an address for an hour',
  wrongPasscodesOfOne: 'api/shared-address > who asks for codes there has twenty wrong ones an hour of their own',
  signups: 'api/limits > an address signs up thirty times an hour',
  signupsOfMailbox: 'api/mail-quotas > sign-ups with tags of a mailbox are counted together',
  mails: 'api/mail-quotas > the fifth mail of an hour is reserved for the notice that the password was changed',
  signupMails: 'api/mail-quotas > sign-ups with tags of a mailbox are counted together',
  resetMails: 'api/mail-quotas > of ten resets of one mailbox asked for at once four are handed over',
  signupMailsInAll: 'api/mail-quotas > a thousand mails of sign-ups an hour are all, and resets go on',
  resetMailsInAll: 'api/mail-quotas > a thousand mails of resets an hour are all',
  mailsByAddress: 'api/limits > an address asks for thirty mails an hour, to mailboxes known or not',
  emailChanges: 'api/my-account > is asked for ten times a day, however RATE_LIMIT stands',
  decisionMails: 'api/decision-mails > are five an hour for a person, and then one that there were more',
  blockMails: 'api/decision-mails > about being blocked are three an hour, and the last reason is mailed afterwards',
  userLookups: 'api/user-state > an admin looks up thirty mailboxes an hour, known or not',
  blocks: 'api/write-limits > an admin blocks sixty people an hour, and lifts blocks without end',
  reviews: 'api/reviews > a user posts thirty reviews an hour, not one more',
  reviewEdits: 'api/write-limits > a user edits reviews sixty times an hour',
  reports: 'api/reports > a person sends twenty reports in any 24 hours, however RATE_LIMIT stands',
  proposals:
    'api/proposals > a person makes ten proposals in any 24 hours, of whatever sort, however RATE_LIMIT stands',
  proposalWithdrawals: 'api/own-proposals > can be withdrawn nine times a day, which counts against the ten proposals',
  helpfulMarks: 'api/helpful > a user marks and unmarks a hundred and twenty times an hour',
  profileSaves: 'api/write-limits > a user saves the profile thirty times an hour',
  schoolSaves: 'api/write-limits > a user saves and removes schools three hundred times an hour',
  recommendations: 'api/limits > a user asks for ten recommendations an hour',
  modelCalls: 'api/model-calls > are made LLM_CALLS_PER_DAY times a day for all users together',
  modelCallsOfOne:
    'api/model-calls > are kept for accounts older than a day once half of them are used, three for each',
  deletes: 'api/limits > an admin deletes sixty things a minute, of whatever sort',
  adminWrites: 'api/write-limits > an admin changes three hundred things a minute, of whatever sort',
  requestsPerMinute: 'api/refused-pages > a page refused by the limit of its address says how long to wait',
};

/** The same for each budget of processor time. */
export const TIME_BUDGET_TESTS: Readonly<Record<keyof typeof TIME_BUDGETS, string>> = {
  address: 'api/time-budgets > an address whose uncached answers took too much is refused, says until when',
  user: 'api/time-budgets > a user pays from wherever they ask',
};

/** The same for each bound; undefined if no test meets it. */
export const BOUND_TESTS: Readonly<Record<keyof typeof BOUNDS, string | undefined>> = {
  connections: 'api/slow-clients > refuses and cuts as the table of bounds says',
  connectionsOfOne: 'unit/connection-limit > an address holds as many connections as it may',
  headersWithin: 'api/slow-clients > who sends a request drop by drop is cut',
  requestWithin: 'api/slow-clients > who sends a request drop by drop is cut',
  inactivity: 'api/slow-clients > refuses and cuts as the table of bounds says',
  keepAlive: 'api/slow-clients > refuses and cuts as the table of bounds says',
  repeated: 'unit/messages > are none of long bodies, and are limited together',
  requestsAhead: 'api/slow-clients > who sends a few requests ahead is answered in order, who sends many is hung up on',
  unread: 'unit/unread-responses > beyond the memory for them are those of the slowest readers',
  pendingLog: undefined,
  readEachSecond: 'unit/unread-responses > are given up after half a minute of hardly any reading',
  readSlowlyFor: 'unit/unread-responses > are given up after half a minute of hardly any reading',
  addressesCounted:
    'unit/addresses > a block is the first of its minute once, however many others are, until they are too many',
  queued: 'unit/admission > a little more than can be served is refused once it would wait for more than a second',
  longQueue: 'unit/admission > three times what can be served, for 30 s',
  queuedInLongQueue: 'unit/admission > three times what can be served, for 30 s',
  queuedUnderOverload: 'unit/admission > three times what can be served, for 30 s',
  hashedAtOnce: 'unit/hashing-slots > are given address after address: who asks for many waits for them alone',
  hashesQueued: 'unit/hashing-slots > keep five hundred waiting, and refuse who comes after them',
  sitemapsQueued: 'unit/one-at-a-time > pieces of work run one after another, and more than may wait are refused',
  indexWaitedFor: 'api/school-index > a recommendation waits for a second at most',
  modelCallsAtOnce: undefined,
  modelAnswerWithin: 'unit/model-patience > is not waited for longer than 15 s after the request arrived',
  modelFailures: 'api/recommendation > it is not asked again for a while after failing repeatedly',
  body: 'api/request-bodies > whoever sends 10 MB, %s, and only then reads, reads the 413',
  importFile: 'api/file-imports > with more than 5 MB is refused',
  recommendBody: 'api/recommendation > fifty thousand schools in the body are too many',
  bodyDepth: 'api/request-bodies > 32 levels are taken, one more is not',
  longBodies: 'api/request-bodies > of long bodies that never arrive the oldest is ended for each that comes',
  bodyPieces: 'api/slow-clients > who sends a body in crumbs is refused before it is whole',
  readAfterRefusal: 'api/request-bodies > a connection is used again after a short body was refused unread',
  discardedBytes: 'api/request-bodies > whoever sends 10 MB, %s, and only then reads, reads the 413',
  discardedFor: undefined,
  sessions: 'api/sessions > a user has twenty sessions at once, and the oldest ends when there are more',
  savedSchools: 'api/saved-schools > are a hundred at most, also when many are saved at once',
  markInterval: 'unit/pacing > the first has its turn at once, and those that come soon after it have theirs together',
  passcodeTries: 'api/passcodes > five wrong tries void a code, also a hundred at once',
};
