/**
 * Attacks that once worked, what ends each, and the test that makes the attack: `file > words of its title`.
 * `docs/security.md` is made from it.
 */
const TABLE = `
learning where a deleted user wrote anonymously, from which cached responses are made anew | only responses that showed the name are invalidated | api/users > deleting a user makes anew what showed their name, and nothing that they wrote without it
a stolen token, an old passcode or a demoted admin come back with a backup | restore drops sessions, passcodes and pending mails of the copy | api/data-commands > brings back no session, passcode, pending mail or demoted admin’s token
a backup with a trigger called sqlite_…, which SQLite runs and the check passed over, makes a user an admin | every table, index, trigger and view is compared with the product's own, whatever its name | api/data-commands > refuses a damaged or foreign file and leaves the database as it was
filling the cache with the whole list of schools, once for each limit and each spelling of a prefix | lists longer than 100 rows are cut out of one cached response; prefixes are cached as they are compared | api/schools > a long list is cached once, whatever limit and spelling of a prefix it is asked with
reading from /metrics what others do, where no proxy denies it | METRICS_TOKEN; production without it logs a warning | api/metrics > are for whoever has the token, and for this machine
emptying the audit trail with TRUNCATE, for which no trigger for rows runs | a trigger for the statement refuses it | api/audit > the database refuses: %s
running up the bill of the model with many accounts | LLM_CALLS_PER_DAY counts for all together, RATE_LIMIT=off or not; one prompt is asked once | api/model-calls > are made LLM_CALLS_PER_DAY times a day for all users together, and the built-in recommender goes on
a million nested lists in a body, parsed before anybody asks who sends it, stop everybody for 0.1 s each | access before bodies; nesting beyond 32 levels is refused while it arrives | api/request-bodies > looks at the token before a byte of the body has come
the same with a token, in hints that nobody reads | hints are checked piece by piece, and neither held nor built | api/request-bodies > a recommendation refuses %s in its hints
a body that is sent slowly, to be acted on after its sender was demoted or logged out | who takes longer than the lookup is looked up again | api/request-bodies > a body that comes after its sender was logged out does nothing
hanging up in the middle of bodies, to have them counted as failures of the server | counted as 499, and not as unavailable | api/request-bodies > whoever hangs up in the middle of a body is no failure of ours
paths of 15 kB fill the log | a logged path ends after 200 characters | api/request-bodies > a path that nobody has is logged by its beginning
locking everybody behind one address out with 50 wrong passwords or 20 wrong codes | an account known at the address, and a mailbox that asked for a code there, pass the limit of the address and have limits of their own | api/shared-address > fifty wrong passwords of others do not keep out who has logged in there
telling accounts from other mailboxes by how long a hundred wrong passwords refuse them | both are counted alike and name the same Retry-After | api/shared-address > a hundred wrong passwords lock a mailbox alike, and for as long, whether or not it has an account
using up the wrong codes of somebody's day before they ask for one | only tries at a code that was asked for count | api/shared-address > wrong codes while none is out take nothing of the day of an account
signing up as Adm1n or School_Reviews | new names are compared without case, punctuation and look-alikes | api/accounts > nobody signs up as %s
filling the database with edits, profiles or sessions, or changing thousands of things with a stolen admin's token | 60 edits and 30 saves an hour, 300 changes a minute, 20 sessions | api/write-limits > an admin changes three hundred things a minute, of whatever sort
many accounts of one person change what an entry's rating says, and no admin notices | /adminnewest shows what is posted, newest first, and which accounts are new | api/newest-reviews > say that an account was younger than 7 days when it was posted, until the account is deleted
logging in with the sample admin's password, read from the log of the first start | production warns at every start until it is changed | api/process > in production the sample admin's printed password is warned of until it is changed
five requests for a verified account or an unknown mailbox take its owner's mails of an hour | a mail counts when it is handed over | api/mail-quotas > asking again and again for a verified account takes no mail from its owner
the mails of an hour are used up, so that nobody hears of a changed password | the fifth is kept for that word; what is withheld is logged | api/mail-quotas > the fifth mail of an hour is kept for word that the password was changed
sign-ups with tags of somebody's mailbox take the owner's resets | sign-ups and resets have quotas of their own | api/mail-quotas > sign-ups with tags of a mailbox are counted together and leave its owner resets and word
2,000 sign-ups with one mailbox take everybody's mails | four an hour for each folded mailbox, and a sign-up without a mail counts for nothing | api/mail-quotas > however often somebody signs up with one mailbox, four of everybody’s mails are all it takes
whoever has a /48 of IPv6 passes for 65,536 addresses | a /56 and a /48 are counted too | api/limits > many networks of one IPv6 block ask for no more mails than four
20 accounts of one mailbox (box+1@, box+2@ …) rate an entry | sign-ups are counted by the folded mailbox, also with RATE_LIMIT=off | api/limits > RATE_LIMIT=off lifts what is counted by address and user, and keeps what is counted by account and mailbox
somebody signs up with a mailbox that is being verified, and its owner's code activates their password | a contested account has no password until a reset by mail | api/contested > with %s sets nobody’s, and its mail sets one
an account with somebody else's mailbox becomes an admin before its owner verifies it | only verified accounts become admins | api/users > an account that nobody has verified cannot be made an admin
a username is a message that our mail carries to any mailbox | mailboxes that nobody has verified are greeted without a name | api/contested > is greeted by no name, as is every mailbox that nobody has verified
passcodes read from the log of a site in production | there the log names the file alone, and a missing SMTP_URL is warned of | api/process > in production without SMTP_URL and PUBLIC_URL it says so once each
a new address for every connection behind a proxy that names ports, past every limit by address | ports are taken out of X-Forwarded-For | api/limits > a proxy that names ports with addresses makes no new address of each, in %s
whoever still sends when refused for size reads no answer, and tries again | our side is closed, up to 16 MB and 5 s more are read | api/request-bodies > and only then reads, reads the 413, thirty times of thirty
`;

export interface Attack {
  readonly attack: string;
  readonly defence: string;
  readonly shownBy: { readonly file: string; readonly title: string };
}

export const ATTACKS: readonly Attack[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [attack = '', defence = '', shown = ''] = line.split(' | ').map((cell) => cell.trim());
    const [file = '', title = ''] = shown.split(' > ');
    return { attack, defence, shownBy: { file: `tests/${file}.test.ts`, title } };
  });
