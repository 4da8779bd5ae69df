import { PASSCODE_LIFE_MINUTES } from '../../contract/accounts.ts';
import type { Connection } from '../database/database.ts';
import type { Milliseconds } from '../database/tables.ts';
import type { Composer, QueuedMail } from '../mail/outbox.ts';
import type { Mail } from '../mail/transport.ts';
import type { KeyRing } from '../security/secrets.ts';
import { createPasscode, type PasscodePurpose, startPasscodeLife } from './passcodes.ts';
import { findUser } from './queries.ts';

/** What a queued mail is about: a passcode of a purpose, or word that the password was changed. */
export type MailPurpose = PasscodePurpose | 'password-changed';

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

const CHANGED_WORDS: Words = {
  subject: 'your password was changed',
  lines: () => [
    'the password of your account has just been changed, and you were logged out everywhere else.',
    'If that was not you, reset your password at once with "Forgot password" and write to us.',
  ],
};

const isPasscode = (purpose: string): purpose is PasscodePurpose => purpose in PASSCODE_WORDS;

/** Writes the mails about accounts. A code is made when its mail is sent, so a mail that waited is not a dead one. */
export function createMailComposer(
  keys: { passcode: KeyRing },
  options: { siteName: string; supportEmail: string; now: () => Milliseconds },
): Composer {
  const { siteName, supportEmail, now } = options;

  async function compose(db: Connection, queued: QueuedMail): Promise<Mail | null> {
    const user = await findUser(db, queued.userId);
    if (!user) return null;
    const { purpose } = queued;
    if (purpose === 'verify' && user.verified_at !== null) return null;
    const code = isPasscode(purpose) ? await createPasscode(db, keys.passcode, user.id, purpose, now()) : undefined;
    const words = isPasscode(purpose) ? PASSCODE_WORDS[purpose] : CHANGED_WORDS;
    const text = [`Hello ${user.username},`, ...words.lines(code ?? ''), `${siteName}\n${supportEmail}`].join('\n\n');
    return { id: queued.id, to: user.email, subject: `${siteName}: ${words.subject}`, text: `${text}\n`, code };
  }

  return {
    compose,
    async handedOver(db, { userId, purpose }) {
      if (isPasscode(purpose)) await startPasscodeLife(db, userId, purpose, now());
    },
  };
}
