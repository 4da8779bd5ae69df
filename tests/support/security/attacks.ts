/**
 * Attacks that once worked, what ends each, and the test that makes the attack: `file > words of its title`.
 * `docs/security.md` is made from it.
 */
const TABLE = `
finding out where a deleted user wrote anonymously, from which cached responses are invalidated | only responses that showed the name are invalidated | api/users > deleting a user invalidates responses with their name, and none of their anonymous reviews
telling from an admin's answers, before and after an account is deleted or blocked, which anonymous reviews were its own | what is said of a review's author is stored with the review; only a proposer is told why their review was not posted | api/deleted-author > leaves every answer for admins as it was, to the byte, so that none tells what it wrote anonymously
a restored backup makes a stolen token, an old passcode or a demoted admin valid again | restore drops sessions, passcodes and pending mails of the copy | api/data-commands > brings back no session, passcode, pending mail or demoted admin’s token
a backup contains a trigger named sqlite_…, which the check skipped and SQLite runs, and it makes a user an admin | every table, index, trigger and view is compared with the product's own, whatever its name | api/data-commands > refuses a damaged or foreign file and leaves the database as it was
filling the cache with copies of the list of schools, one for each limit and each spelling of a prefix | lists longer than 100 rows are cut from one cached response; prefixes are folded before they are cached | api/schools > a long list is cached once, whatever limit and spelling of a prefix it is asked with
reading from /metrics what other visitors do, where no proxy denies it | METRICS_TOKEN; production without it logs a warning | api/metrics > are for whoever has the token, and for this machine
emptying the audit trail with TRUNCATE, which fires no row trigger | a statement trigger refuses it | api/audit > the database refuses: %s
running up the model's bill with many accounts | LLM_CALLS_PER_DAY limits all users together, also with RATE_LIMIT=off; the same prompt is sent once | api/model-calls > are made LLM_CALLS_PER_DAY times a day for all users together, and the built-in recommender goes on
a million nested lists in a body, parsed before the caller is checked, block the server for 0.1 s each | access is checked before the body is read; nesting beyond 32 levels is refused while it arrives | api/request-bodies > looks at the token before a byte of the body has come
the same with a token, in hints that the call does not use | hints are checked as they arrive, and neither stored nor parsed into values | api/request-bodies > a recommendation refuses %s in its hints
sending a body slowly, so that it is acted on after its sender was demoted or logged out | the caller is looked up again when the body took longer than the first lookup | api/request-bodies > a body that comes after its sender was logged out does nothing
disconnecting in the middle of bodies, so that the server counts failures of its own | such requests are counted as 499 | api/request-bodies > whoever hangs up in the middle of a body is no failure of ours
filling the log with paths of 15 kB | a logged path is cut after 200 characters | api/request-bodies > a path that nobody has is logged by its beginning
locking out everybody behind one address with 50 wrong passwords or 20 wrong codes | an account known at the address, and a mailbox that requested a code there, pass the limit of the address and have limits of their own | api/shared-address > fifty wrong passwords of others do not keep out who has logged in there
telling accounts from other mailboxes by how long they are locked after a hundred wrong passwords | both are counted in the same way and get the same Retry-After | api/shared-address > a hundred wrong passwords lock a mailbox alike, and for as long, whether or not it has an account
using up an account's wrong codes of the day before its owner requests one | wrong codes count only while a requested code is valid | api/shared-address > wrong codes while none is out take nothing of the day of an account
signing up as Adm1n or School_Reviews | new names are compared without case, punctuation and look-alikes | api/accounts > nobody signs up as %s
filling the database with edits, profiles or sessions, or changing thousands of things with a stolen admin's token | 60 edits and 30 saves an hour, 300 changes a minute, 20 sessions | api/write-limits > an admin changes three hundred things a minute, of whatever sort
changing an entry's rating with many accounts, unnoticed by admins | /adminnewest lists the newest reviews and marks those of new accounts | api/newest-reviews > say that an account was younger than 7 days when it was posted, also when the account is deleted
logging in with the sample admin's password from the log of the first start | production warns at every start until it is changed | api/process > in production the sample admin's printed password is warned of until it is changed
using up the mails of an hour with five requests for somebody's verified account | a mail counts when it is handed over | api/mail-quotas > asking again and again for a verified account takes no mail from its owner
using up the mails of an hour, so that the owner is not told of a changed password | the fifth mail is reserved for that; a withheld mail is logged | api/mail-quotas > the fifth mail of an hour is reserved for the notice that the password was changed
using up the resets of a mailbox with sign-ups under tagged forms of it | sign-ups and resets have separate quotas | api/mail-quotas > sign-ups with tags of a mailbox are counted together and leave its owner resets and word
using up the site's mails with 2,000 sign-ups of one mailbox | four an hour for each folded mailbox; a sign-up that sends no mail counts for nothing | api/mail-quotas > however often somebody signs up with one mailbox, four of everybody’s mails are all it takes
using up everybody's mails of sign-ups with invented mailboxes from three IPv6 /48, or 34 addresses | blocks up to /40, and /24, are counted; the last quarter of the mails goes to addresses that have had none, one each | api/fair-mails > leave the last quarter to addresses from which nobody has signed up
using the 65,536 networks of an IPv6 /48 as so many addresses | a /56 and a /48 are counted too | api/limits > many networks of one IPv6 block ask for no more mails than four
rating an entry with 20 accounts of one mailbox (box+1@, box+2@ …) | sign-ups are counted by the folded mailbox, also with RATE_LIMIT=off | api/limits > RATE_LIMIT=off lifts what is counted by address and user, and keeps what is counted by account and mailbox
signing up with a mailbox that is being verified, so that its owner's code activates the attacker's password | a contested account has no password until a reset by mail | api/contested > with %s sets nobody’s, and its mail sets one
making an account with somebody else's mailbox an admin before its owner verifies it | only verified accounts become admins | api/users > an account that nobody has verified cannot be made an admin
sending a message to the authors of reviews as the name of a school or an entry, of several lines | names are of one line; mails quote those stored before in one line | api/one-line-names > that an earlier version stored are quoted in one line by mails, and made in one by acceptance
sending a message to any mailbox as the username in our mail | mailboxes that are not verified are greeted without a name | api/contested > is greeted by no name, as is every mailbox that nobody has verified
reading passcodes from a production site's log | in production the log names only the file, and a missing SMTP_URL is warned of | api/process > in production without SMTP_URL and PUBLIC_URL it says so once each
passing every limit by address behind a proxy that adds ports to addresses | ports are removed from X-Forwarded-For | api/limits > a proxy that names ports with addresses makes no new address of each, in %s
a client whose large body is refused gets a reset in place of the answer, and tries again | the connection is closed on our side only; up to 16 MB more are read for up to 5 s | api/request-bodies > and only then reads, reads the 413, thirty times of thirty
report flooding: filling the queue so that nobody finds what matters | one report of a person for a review, one item a review, 20 reports in any 24 hours, counted by the reports themselves, RATE_LIMIT=off or not | api/reports > a person sends twenty reports in any 24 hours, however RATE_LIMIT stands
report flooding: twenty accounts report one review at once | one item, which an admin decides once; what was kept comes back only for somebody who has not reported it | api/reports > of twenty people at once are twenty, on one item
proposal flooding: filling the queue of the admins or, with PROPOSALS=open, the site | ten of a person in any 24 hours, schools and entries together, counted by the proposals themselves, RATE_LIMIT=off or not; of equal ones one is open; a blocked person is signed out | api/proposals > a person makes ten proposals in any 24 hours, of whatever sort, however RATE_LIMIT stands
proposal flooding: with PROPOSALS=open, ten public schools with a link each from a new account, which stay when it is deleted | addresses in what no admin has seen are text; "Delete with reviews" deletes what the person added and nobody else reviewed | api/open-proposals > goes with a user who is deleted with their reviews, unless others have used it
proposal abuse: posting a second review of an entry, or one in somebody else's name, by way of a proposal | acceptance posts by the code that posts reviews: one of a person, signed with their own name; an admin can correct neither the review nor the school | api/proposals > is corrected on acceptance; neither its review nor its school can be
reporter retaliation: an author takes revenge on whoever reported a review | no answer and no mail tells who reported, neither to the author nor to admins | api/reports > open one item a review, with what was said and neither who said it nor who wrote it
moderator abuse: an admin hides what they dislike, or hides and restores in silence | every decision stands in the audit trail, the author is told, and a public line with its reason stays | api/moderation > every decision stands in the audit trail, with its reason and note
moderator abuse: hiding low ratings more often than high ones | everyone reads how many reviews of each number of stars were posted and how many are hidden | api/removals > the totals count what was posted and what is hidden, by whole stars
moderator abuse: deleting schools in anger, or with a stolen token | everything deleted can be brought back whole for 30 days; sixty deletes a minute; who deleted what stands in the audit trail and under Recently deleted | api/deletions > are listed, the last one first, with who deleted them and the reviews that would be seen
moderator abuse: looking up who wrote a review out of curiosity | a reason is needed, and stands in the audit trail with the review; nothing else an admin can see names an anonymous author | api/reveal-author > leaves a line in the audit trail that names the review and the reason, not the author
removal-log tampering: changing, removing or adding a line in the database | the database refuses it, and check-data recomputes the chain and compares it with every review's state | api/removals > that were changed, taken out or added past the product are found, and a state that no line tells of
removal-log tampering: a site that shows other lines than it wrote | anyone computes the chain from the public answers with the script of docs/moderation.md; a hash kept elsewhere shows a chain that was rewritten | api/removals > say what was hidden and restored, newest first, as a chain that anyone can compute
finding a hidden review in some other answer: a mean, a ranking, the sitemap, structured data, a recommendation | one module says what is visible; two products are compared to the byte, of which one never had the review | api/hidden-reviews > is the same with a review that an admin hid as where it never was
de-anonymisation: telling by some value that two anonymous reviews are by one person | no public answer is made of whose a review is: two products that differ in that alone answer alike to the byte | api/unlinkable > are answered as two by two people are: no value in any answer, page, header or list tells which they are
de-anonymisation by timing: watching which responses change or are invalidated when a person leaves | those of anonymous reviews stay as they are, cached responses included | api/users > deleting a user invalidates responses with their name, and none of their anonymous reviews
de-anonymisation by timing: reading from the removals when a known person's review was hidden | a line has the stars, the reason and the category, and neither text, entry nor person | api/removals > say what was hidden and restored, newest first, as a chain that anyone can compute
de-anonymisation by timing: telling by the millisecond of the removals which reviews one act hid, and so whose they are | the time of a line is cut to the minute | api/removals > tell the minute of an act and nothing finer, after lines of earlier versions that tell the moment
sock puppets: ten new accounts praise an entry within ten minutes | the page says that they are being checked, an admin sees each, and they do not weigh in the ranking until then | api/bursts > ten by new accounts are shown and counted, wait for an admin and leave the weighted ranking as it was
sock puppets: posting all at the same moment, so that none sees the others | each post waits for the counts of its entry and looks afterwards | api/bursts > ten posted at the same moment are found
sock puppets: going on after the first ones were hidden | what comes within ten minutes of the last one belongs to the burst, whatever was decided | api/bursts > further ones by new accounts belong to a burst within ten minutes of its last one
sock puppets: filling the queue with hundreds of reviews of bursts, so that nobody finds a report among them | reported reviews and appeals come first | api/burst-abuse > wait behind reports and appeals, whenever these came
sock puppets: keeping a burst going with one account that withdraws and posts again | an account makes a burst last longer once | api/burst-abuse > one person who withdraws and posts again belongs to a burst and does not keep it going
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
