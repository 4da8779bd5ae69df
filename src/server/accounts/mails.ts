import type { FastifyBaseLogger } from 'fastify';
import { PASSCODE_LIFE_MINUTES } from '../../contract/accounts.ts';
import { accountAddress, PAGES } from '../../contract/pages.ts';
import type { Connection } from '../database/database.ts';
import type { Milliseconds, UserRow } from '../database/tables.ts';
import type { LimitedTools } from '../http/limits/throttle.ts';
import type { Composed, Composer, Composers } from '../mail/composers.ts';
import { greet, type Site, writeLetter } from '../mail/letter.ts';
import type { KeyRing } from '../security/secrets.ts';
import { type AccountMailPurpose, type CountedMailPurpose, countMail, uncountMail } from './mail-quotas.ts';
import { deleteEmailChange, findEmailChange, lockEmailChange } from './mine/queries.ts';
import { createPasscode, PASSCODE_LIFETIME_MS, type PasscodePurpose } from './passcodes.ts';
import { findUser, findUserByEmail, setPasscodeExpiry } from './queries.ts';
import { recordMail } from './state/queries.ts';

const VALIDITY = `It is good for ${PASSCODE_LIFE_MINUTES} minutes and can be used once.`;

const PASSCODE_TEXTS = {
  verify: {
    subject: 'your verification passcode',
    request: 'welcome! Please enter this passcode to verify your account:',
    otherwise: 'If you did not sign up, please ignore this mail.',
  },
  reset: {
    subject: 'your password passcode',
    request: 'please enter this passcode to set your new password:',
    otherwise: 'If you did not ask for this, ignore this mail: your password stays as it is.',
  },
  email: {
    subject: 'your passcode for a new email',
    request: 'please enter this passcode under "Your account" to use this mailbox for your account:',
    otherwise: 'If you did not ask for this, ignore this mail: nothing happens without the passcode.',
  },
};

/**
 * The lines for the owner of a mailbox that several sign-ups used: none of the passwords is valid. The address has a
 * line of its own: in a longer line mailers would encode it, and it could not be copied from a mail saved as a file.
 */
const contestedLines = (address: string, code: string) =>
  [
    'This mailbox was used to sign up more than once,',
    'so please choose a new password:',
    address,
    `Your passcode is ${code}.`,
  ].join('\n');

const PASSWORD_CHANGED_TEXTS = {
  subject: 'your password was changed',
  paragraphs: [
    'the password of your account has just been changed, and you were logged out everywhere else.',
    'If that was not you, reset your password at once with "Forgot password" and write to us.',
  ],
};

const EMAIL_TEXTS = {
  'email-asked': {
    subject: 'a new email was asked for',
    paragraphs: [
      'somebody who knows your password asked for another email for your account.',
      'It changes once the passcode that we mailed there is entered.',
      'If that was not you, change your password at once and write to us.',
    ],
  },
  'email-changed': {
    subject: 'your email was changed',
    paragraphs: [
      'your account has another email from now on, and you were logged out everywhere else.',
      'If that was not you, write to us at once.',
    ],
  },
};

/** The values that mails about accounts need. */
interface MailTools extends Site, LimitedTools {
  readonly keys: { passcode: KeyRing };
  readonly log: FastifyBaseLogger;
}

/** A mail that counts against quotas: beyond those of its mailbox it is not sent, beyond the site's it waits. */
function countedMail(
  tools: MailTools,
  purpose: CountedMailPurpose,
  write: (db: Connection, user: UserRow, to: string) => Promise<Composed>,
): Composer {
  return {
    async compose(db, { userId, countedAt }) {
      const user = await findUser(db, userId);
      if (!user || (purpose === 'verify' && user.verified_at !== null)) return null;
      const mailbox =
        purpose === 'email' ? await findNewMailbox(db, userId, tools.now()) : { email: user.email, isSent: true };
      if (!mailbox) return null;
      // A mail in flight when a process ended is already counted and may have arrived: it must not be dropped.
      const decision = countedAt === null ? await countMail(tools, db, purpose, mailbox) : 'counted';
      if (decision === 'refused') {
        tools.log.info(
          { event: 'mail-withheld', purpose, userId },
          'mail not sent: the mailbox has had its mails of the hour',
        );
        await recordMail(db, userId, purpose, 'failed', tools.now());
        return null;
      }
      if (decision !== 'counted') return decision;
      if (!mailbox.isSent) {
        await recordMail(db, userId, purpose, 'handedOver', tools.now());
        return null;
      }
      // Called last: a code that is not sent must not invalidate the previous one.
      return write(db, user, mailbox.email);
    },
    async notHandedOver(db, { countedAt }, { to }) {
      if (countedAt !== null) await uncountMail(tools, db, { purpose, email: to, countedAt });
    },
  };
}

/**
 * The new mailbox that a user requested; undefined if none is pending. No mail is sent if a verified account has the
 * mailbox already: its owner requested none. It is counted and recorded like any other: people can read which mails
 * they were sent, and must not learn from that whose mailbox has an account.
 */
async function findNewMailbox(db: Connection, userId: number, now: Milliseconds) {
  const change = await lockEmailChange(db, userId, now);
  const owner = change && (await findUserByEmail(db, change.new_email));
  return change && { email: change.new_email, isSent: !owner || owner.verified_at === null };
}

/** The notice to the mailbox that a user is leaving. */
function noticeToFormerMailbox(tools: MailTools, purpose: keyof typeof EMAIL_TEXTS): Composer {
  return {
    async compose(db, { userId, subjectId }) {
      const user = await findUser(db, userId);
      const change = subjectId === null ? undefined : await findEmailChange(db, subjectId);
      if (!user || !change) return null;
      return writeLetter(tools, change.old_email, { ...EMAIL_TEXTS[purpose], greeting: greet(user) });
    },
    async handedOver(db, { subjectId }) {
      if (purpose === 'email-changed' && subjectId !== null) await deleteEmailChange(db, subjectId);
    },
  };
}

/** The code is made when its mail is sent, so it has not expired in the queue. */
function passcodeMail(tools: MailTools, purpose: PasscodePurpose): Composer {
  const { keys, publicUrl, now } = tools;
  const { subject, request, otherwise } = PASSCODE_TEXTS[purpose];
  return {
    ...countedMail(tools, purpose, async (db, user, to) => {
      const code = await createPasscode(db, keys.passcode, user.id, purpose, now());
      const isContested = purpose === 'reset' && user.is_contested === 1;
      const paragraphs = isContested
        ? [contestedLines(publicUrl(accountAddress(PAGES.change, { email: user.email })), code)]
        : [request, code, VALIDITY, otherwise];
      // The new mailbox may belong to somebody else, for whom the username could carry a message.
      const greeting = purpose === 'email' ? 'Hello,' : greet(user);
      return { ...writeLetter(tools, to, { subject, greeting, paragraphs }), code };
    }),
    handedOver: (db, { userId }) => setPasscodeExpiry(db, userId, purpose, now() + PASSCODE_LIFETIME_MS),
  };
}

/** Composes the mails about accounts. */
export function createAccountMails(tools: MailTools): Composers<AccountMailPurpose> {
  return {
    verify: passcodeMail(tools, 'verify'),
    reset: passcodeMail(tools, 'reset'),
    email: passcodeMail(tools, 'email'),
    'email-asked': noticeToFormerMailbox(tools, 'email-asked'),
    'email-changed': noticeToFormerMailbox(tools, 'email-changed'),
    'password-changed': countedMail(tools, 'password-changed', async (_db, user, to) =>
      writeLetter(tools, to, { ...PASSWORD_CHANGED_TEXTS, greeting: greet(user) }),
    ),
  };
}
