import type { FastifyBaseLogger } from 'fastify';
import { PASSCODE_LIFE_MINUTES } from '../../contract/accounts.ts';
import { PAGES, passcodeAddress } from '../../contract/pages.ts';
import type { Milliseconds, UserRow } from '../database/tables.ts';
import type { Composer } from '../mail/outbox.ts';
import type { KeyRing } from '../security/secrets.ts';
import type { Throttles } from '../security/throttle.ts';
import { countMail, isPasscode, type MailPurpose, uncountMail } from './mail-quotas.ts';
import { createPasscode, type PasscodePurpose, startPasscodeLife } from './passcodes.ts';
import { findUser } from './queries.ts';

interface Words {
  subject: string;
  lines: (code: string) => string[];
}

const LIFE = `It is good for ${PASSCODE_LIFE_MINUTES} minutes and can be used once.`;

const PASSCODE_WORDS: Record<PasscodePurpose, Words> = {
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
 * To the owner of a mailbox that more than one sign-up named: none of their passwords counts. In lines of its own,
 * because mailers encode longer ones, and the address could not be copied out of a mail that became a file.
 */
const contestedLines = (address: string, code: string) =>
  [
    'This mailbox was used to sign up more than once,',
    'so please choose a new password:',
    address,
    `Your passcode is ${code}.`,
  ].join('\n');

const CHANGED_WORDS: Words = {
  subject: 'your password was changed',
  lines: () => [
    'the password of your account has just been changed, and you were logged out everywhere else.',
    'If that was not you, reset your password at once with "Forgot password" and write to us.',
  ],
};

/** What the mails about accounts are written with. */
interface MailTools {
  readonly keys: { passcode: KeyRing };
  readonly throttles: Throttles;
  readonly siteName: string;
  readonly supportEmail: string;
  readonly publicUrl: (path: string) => string;
  readonly log: FastifyBaseLogger;
  readonly now: () => Milliseconds;
}

/** Writes the mails about accounts. A code is made when its mail is sent, so a mail that waited is not a dead one. */
export function createMailComposer(tools: MailTools): Composer {
  const { keys, siteName, supportEmail, publicUrl, log, now } = tools;

  function write(user: UserRow, purpose: MailPurpose, code: string): { subject: string; text: string } {
    const isContested = purpose === 'reset' && user.is_contested === 1;
    const words = isPasscode(purpose) ? PASSCODE_WORDS[purpose] : CHANGED_WORDS;
    const lines = isContested
      ? [contestedLines(publicUrl(passcodeAddress(PAGES.change, user.email)), code)]
      : words.lines(code);
    // Whoever named an account with somebody else's mailbox must not speak to its owner through the name.
    const greeting = user.verified_at === null || user.is_contested === 1 ? 'Hello,' : `Hello ${user.username},`;
    const text = [greeting, ...lines, `${siteName}\n${supportEmail}`].join('\n\n');
    return { subject: `${siteName}: ${words.subject}`, text: `${text}\n` };
  }

  return {
    async compose(db, { id, purpose: queuedPurpose, userId, countedAt }) {
      // Only this domain queues mails.
      const purpose = queuedPurpose as MailPurpose;
      const user = await findUser(db, userId);
      if (!user || (purpose === 'verify' && user.verified_at !== null)) return null;
      // In flight when a process ended, it is counted and may have arrived: it must not be lost, whatever came since.
      const decision = countedAt === null ? await countMail(tools, db, purpose, user.email) : 'counted';
      if (decision === 'refused') {
        log.info(
          { event: 'mail-withheld', purpose, userId },
          'mail not sent: the mailbox has had its mails of the hour',
        );
        return null;
      }
      if (decision !== 'counted') return decision;
      // Made last: a code that is not sent must not void the one before.
      const code = isPasscode(purpose) ? await createPasscode(db, keys.passcode, userId, purpose, now()) : undefined;
      return { id, to: user.email, ...write(user, purpose, code ?? ''), code };
    },
    async handedOver(db, { userId, purpose }) {
      if (isPasscode(purpose)) await startPasscodeLife(db, userId, purpose, now());
    },
    async notHandedOver(db, { purpose, countedAt }, { to }) {
      if (countedAt === null) return;
      await uncountMail(tools, db, { purpose: purpose as MailPurpose, email: to, countedAt });
    },
  };
}
