import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { EMAIL_MAX, HTML_EMAIL, INVALID_EMAIL } from './email.ts';
import { Id, verbatim } from './fields.ts';

/** The shortest username, and the shortest one in Han, Kana or Hangul, where a letter is a syllable or a word. */
export const USERNAME_MIN = 3;
export const USERNAME_MIN_OF_SYLLABLES = 2;
export const USERNAME_MAX = 32;
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 256;
export const PASSCODE_LENGTH = 6;
/** How long a passcode can be used, from the moment when the mail server accepts the mail. */
export const PASSCODE_LIFE_MINUTES = 10;

/** The code of login's 403 for an account whose mailbox is not verified. */
export const UNVERIFIED_CODE = 'unverified';

export const INVALID_USERNAME = `The username must be ${USERNAME_MIN} to ${USERNAME_MAX} letters of one writing system, digits, "_", "-" or ".", and begin with a letter or a digit.`;

export const INVALID_PASSCODE = `The passcode is ${PASSCODE_LENGTH} digits.`;

/** The error for a new password of the wrong length; null if the length is allowed. */
export function passwordProblem(password: string): string | null {
  const { length } = [...password];
  if (length < PASSWORD_MIN) return `The password must have at least ${PASSWORD_MIN} characters.`;
  return length > PASSWORD_MAX ? `The password must have at most ${PASSWORD_MAX} characters.` : null;
}

export const Email = Type.String({
  title: 'The email',
  maxLength: EMAIL_MAX,
  pattern: HTML_EMAIL.source,
  says: INVALID_EMAIL,
});

export const Username = Type.String({
  title: 'The username',
  minLength: USERNAME_MIN_OF_SYLLABLES,
  maxLength: USERNAME_MAX,
  isProse: true,
  isUsername: true,
  says: INVALID_USERNAME,
});

const NewPassword = verbatim({ title: 'The password', min: PASSWORD_MIN, max: PASSWORD_MAX });

/**
 * A password to compare with a stored one. One that is too short or too long for a new password is simply wrong: the
 * higher maximum only bounds the work of the comparison.
 */
export const TypedPassword = verbatim({ title: 'The password', max: 4 * PASSWORD_MAX });

/** The server trims it. Like a password, one of another length is simply wrong. */
export const Passcode = Type.String({ title: 'The passcode', maxLength: 64, says: INVALID_PASSCODE });

const Done = Type.Object({ message: Type.String() });
const Mailbox = Type.Object({ email: Email });

export const Session = Type.Object({ token: Type.String() });

export const login = defineCall({
  name: 'login',
  method: 'POST',
  summary: 'Sign in',
  access: 'everyone',
  refuses: [401],
  body: Type.Object({ email: Email, password: TypedPassword }),
  answer: Session,
});

export const signup = defineCall({
  name: 'signup',
  method: 'POST',
  summary: 'Create an account and mail its passcode',
  access: 'everyone',
  refuses: [409],
  status: 201,
  body: Type.Object({ username: Username, email: Email, password: NewPassword }),
  answer: Type.Object({ id: Id, username: Type.String(), email: Type.String() }),
});

export const verify = defineCall({
  name: 'verify',
  method: 'POST',
  summary: 'Verify an account with its mailed passcode',
  access: 'everyone',
  body: Type.Object({ email: Email, verificationCode: Passcode }),
  answer: Done,
});

export const resend = defineCall({
  name: 'resend',
  method: 'POST',
  summary: 'Mail a new verification passcode',
  access: 'everyone',
  query: Mailbox,
  answer: Done,
});

export const forgotPassword = defineCall({
  name: 'forgotPassword',
  method: 'POST',
  summary: 'Mail a passcode for a password reset',
  access: 'everyone',
  body: Mailbox,
  answer: Done,
});

export const resetPassword = defineCall({
  name: 'resetPassword',
  method: 'POST',
  summary: 'Set a new password with a mailed passcode; ends every session of the user',
  access: 'everyone',
  body: Type.Object({ email: Email, forgotCode: Passcode, newPassword: NewPassword }),
  answer: Done,
});

export const resendForgot = defineCall({
  name: 'resendForgot',
  method: 'POST',
  summary: 'Mail a new passcode for a password reset',
  access: 'everyone',
  query: Mailbox,
  answer: Done,
});

export const logout = defineCall({
  name: 'logout',
  method: 'POST',
  summary: 'End the session of this token',
  access: 'signed-in',
});

export const logoutAll = defineCall({
  name: 'logoutAll',
  method: 'POST',
  summary: 'End every session of the caller',
  access: 'signed-in',
});

export const changePassword = defineCall({
  name: 'changePassword',
  method: 'POST',
  summary: 'Change the password; ends every other session of the caller',
  access: 'signed-in',
  body: Type.Object({ currentPassword: TypedPassword, newPassword: NewPassword }),
  answer: Done,
});

export const ACCOUNT_CALLS = [
  login,
  signup,
  verify,
  resend,
  forgotPassword,
  resetPassword,
  resendForgot,
  logout,
  logoutAll,
  changePassword,
];
