import type { FastifyBaseLogger } from 'fastify';
import { PASSCODE_LIFE_MINUTES } from '../../contract/accounts.ts';
import { accountAddress, PAGES } from '../../contract/pages.ts';
import type { Connection } from '../database/database.ts';
import type { Milliseconds, UserRow } from '../database/tables.ts';
import type { Throttles } from '../http/limits/throttle.ts';
import type { Composer, Composers } from '../mail/composers.ts';
import { greet, type Site, writeLetter } from '../mail/letter.ts';
import type { Mail } from '../mail/transport.ts';
import type { KeyRing } from '../security/secrets.ts';
import { type AccountMailPurpose, countMail, uncountMail } from './mail-quotas.ts';
import { createPasscode, type PasscodePurpose, startPasscodeLife } from './passcodes.ts';
import { findUser } from './queries.ts';

const LIFE = `It is good for ${PASSCODE_LIFE_MINUTES} minutes and can be used once.`;

const PASSCODE_WORDS: Record<PasscodePurpose, { subject: string; lines: (code: string) => string[] }> = {
  verify: {
    subject: 'your verification passcode',
    lines: (code) => [
      'welcome! Please enter this passcode to verify your account:',
      code,
      LIFE,
      'If you did not sign up, please ignore this mail.',
    ],
  },
  reset: {
    subject: 'your password passcode',
    lines: (code) => [
      'please enter this passcode to set your new password:',
      code,
      LIFE,
      'If you did not ask for this, ignore this mail: your password stays as it is.',
    ],
  },
};

/**
 * For the owner of a mailbox that several sign-ups used: none of the passwords is valid. The address has a line of its
 * own: in a longer line mailers would encode it, and it could not be copied from a mail saved as a file.
 */
const contestedLines = (address: string, code: string) =>
  [
    'This mailbox was used to sign up more than once,',
    'so please choose a new password:',
    address,
    `Your passcode is ${code}.`,
  ].join('\n');

const CHANGED = {
  subject: 'your password was changed',
  paragraphs: [
    'the password of your account has just been changed, and you were logged out everywhere else.',
    'If that was not you, reset your password at once with "Forgot password" and write to us.',
  ],
};

/** The values that mails about accounts need. */
interface MailTools extends Site {
  readonly keys: { passcode: KeyRing };
  readonly throttles: Throttles;
  readonly publicUrl: (path: string) => string;
  readonly log: FastifyBaseLogger;
  readonly now: () => Milliseconds;
}

/** A mail that counts against the quotas of its account and is not sent beyond them. */
function countedMail(
  tools: MailTools,
  purpose: AccountMailPurpose,
  write: (db: Connection, user: UserRow) => Promise<Pick<Mail, 'subject' | 'text' | 'code'>>,
): Composer {
  return {
    async compose(db, { userId, countedAt }) {
      const user = await findUser(db, userId);
      if (!user || (purpose === 'verify' && user.verified_at !== null)) return null;
      // A mail in flight when a process ended is already counted and may have arrived: it must not be dropped.
      const decision = countedAt === null ? await countMail(tools, db, purpose, user.email) : 'counted';
      if (decision === 'refused') {
        tools.log.info(
          { event: 'mail-withheld', purpose, userId },
          'mail not sent: the mailbox has had its mails of the hour',
        );
        return null;
      }
      if (decision !== 'counted') return decision;
      // Called last: a code that is not sent must not invalidate the previous one.
      return { to: user.email, ...(await write(db, user)) };
    },
    async notHandedOver(db, { countedAt }, { to }) {
      if (countedAt !== null) await uncountMail(tools, db, { purpose, email: to, countedAt });
    },
  };
}

/** The code is made when its mail is sent, so it has not expired in the queue. */
function passcodeMail(tools: MailTools, purpose: PasscodePurpose): Composer {
  const { keys, publicUrl, now } = tools;
  const { subject, lines } = PASSCODE_WORDS[purpose];
  return {
    ...countedMail(tools, purpose, async (db, user) => {
      const code = await createPasscode(db, keys.passcode, user.id, purpose, now());
      const isContested = purpose === 'reset' && user.is_contested === 1;
      const paragraphs = isContested
        ? [contestedLines(publicUrl(accountAddress(PAGES.change, { email: user.email })), code)]
        : lines(code);
      return { ...writeLetter(tools, { subject, greeting: greet(user), paragraphs }), code };
    }),
    handedOver: (db, { userId }) => startPasscodeLife(db, userId, purpose, now()),
  };
}

/** Composes the mails about accounts. */
export function createAccountMails(tools: MailTools): Composers<AccountMailPurpose> {
  return {
    verify: passcodeMail(tools, 'verify'),
    reset: passcodeMail(tools, 'reset'),
    'password-changed': countedMail(tools, 'password-changed', async (_db, user) =>
      writeLetter(tools, { ...CHANGED, greeting: greet(user) }),
    ),
  };
}
