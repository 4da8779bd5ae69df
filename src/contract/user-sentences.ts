import type { AccountMail, RefusalReason, UserState } from './user-state.ts';

const MOMENT_FORMAT = new Intl.DateTimeFormat('en-US', {
  ...{ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
  ...{ hourCycle: 'h23', timeZone: 'UTC' },
});

/** "Nov 22, 12:31 UTC". */
export const momentText = (instant: string) => `${MOMENT_FORMAT.format(new Date(instant))} UTC`;

const DAY_FORMAT = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

/** The end of "A login was refused on …: ". */
export const REFUSAL_REASON_TEXTS: Readonly<Record<RefusalReason, string>> = {
  password: 'the password was wrong',
  unverified: 'the email was not verified',
  blocked: 'the account was blocked',
  locked: 'there had been too many wrong passwords',
  contested: 'the account had no password until its owner set one with a mailed passcode',
};

/** The mail, as the beginning of a sentence. */
export const MAIL_TEXTS: Readonly<Record<AccountMail, string>> = {
  signup: 'A passcode',
  reset: 'A passcode for a new password',
  changed: 'Word of a changed password',
  email: 'A mail about another email',
  blocked: 'Word of the block',
};

/** The outcome of a mail, after a colon. */
export const MAIL_STATE_TEXTS: Readonly<Record<UserState['mails'][number]['state'], string>> = {
  queued: 'waits',
  handedOver: 'handed over',
  failed: 'not sent',
};

const MAIL_STATE_VERBS: Readonly<Record<UserState['mails'][number]['state'], string>> = {
  queued: 'waits for the mail server since',
  handedOver: 'was handed over on',
  failed: 'could not be sent on',
};

/** The answer to "why can they not log in?"; undefined if they can. */
function obstacleOf({ isBlocked, blockedReason, isVerified, lockedUntil, refusedLogins }: UserState) {
  if (isBlocked) return `the account is blocked. Reason: ${blockedReason}`;
  if (!isVerified) return 'the email is not verified.';
  const [last] = refusedLogins;
  if (last?.reason === 'contested') {
    return 'several sign-ups used this mailbox, so the account has no password. "Forgot password" sets one.';
  }
  if (lockedUntil !== undefined) {
    return `too many wrong passwords were tried. It stays locked, everywhere or at one address, until ${momentText(lockedUntil)}, or until the password is reset.`;
  }
  return undefined;
}

function verdictOf(state: UserState): string {
  const obstacle = obstacleOf(state);
  return obstacle ? `Cannot log in: ${obstacle}` : 'Can log in with the right password.';
}

const mailSentence = ({ purpose, state, at }: UserState['mails'][number]) =>
  `${MAIL_TEXTS[purpose]} ${MAIL_STATE_VERBS[state]} ${momentText(at)}.`;

/** The state of an account in sentences, the decisive one first. The page and the command show the same. */
export function describeUserState(state: UserState): string[] {
  const { isBlocked, isVerified, refusedLogins, mails, lockedUntil, sessions, lastLoginOn } = state;
  const [refused] = refusedLogins;
  // Only somebody who has not verified waits for the passcode of the sign-up.
  const waitsForPasscode = !(isVerified || isBlocked);
  const mail = mails.find(({ purpose }) => (purpose === 'signup') === waitsForPasscode);
  const isLockOver = refused?.reason === 'locked' && lockedUntil === undefined;
  const aboutMail = mail && mailSentence(mail);
  const verdict = verdictOf(state);
  return [
    waitsForPasscode ? `${verdict} ${aboutMail ?? 'No passcode was mailed in the last 30 days.'}` : verdict,
    ...(refused ? [`A login was refused on ${momentText(refused.at)}: ${REFUSAL_REASON_TEXTS[refused.reason]}.`] : []),
    ...(isLockOver
      ? [
          'The account is not locked now: that lock is over, or it is one of an address from which too many wrong passwords came, for 15 minutes.',
        ]
      : []),
    ...(aboutMail && !waitsForPasscode ? [aboutMail] : []),
    lastLoginOn === null ? 'No login is known.' : `The last login was on ${DAY_FORMAT.format(new Date(lastLoginOn))}.`,
    sessions === 0 ? 'Logged in nowhere.' : `Logged in at ${sessions} ${sessions === 1 ? 'place' : 'places'}.`,
  ];
}
