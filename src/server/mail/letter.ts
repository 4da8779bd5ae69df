import type { UserRow } from '../database/tables.ts';
import type { Mail } from './transport.ts';

/** The sender of a mail. */
export interface Site {
  readonly siteName: string;
  readonly supportEmail: string;
  readonly publicUrl: (path: string) => string;
}

/**
 * Without the username until the mailbox is verified: a stranger could sign up with it and use the name to send a
 * message.
 */
export const greet = (user: Pick<UserRow, 'username' | 'verified_at' | 'is_contested'>) =>
  user.verified_at === null || user.is_contested === 1 ? 'Hello,' : `Hello ${user.username},`;

/** The common form of the site's mails. @param paragraphs the text between greeting and signature */
export function writeLetter(
  { siteName, supportEmail }: Site,
  to: string,
  { subject, greeting, paragraphs }: { subject: string; greeting: string; paragraphs: readonly string[] },
): Pick<Mail, 'to' | 'subject' | 'text'> {
  const text = [greeting, ...paragraphs, `${siteName}\n${supportEmail}`].join('\n\n');
  return { to, subject: `${siteName}: ${subject}`, text: `${text}\n` };
}
