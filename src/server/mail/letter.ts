import type { UserRow } from '../database/tables.ts';
import type { Mail } from './transport.ts';

/** The data about the site that mails contain, and their links to it. */
export interface Site {
  readonly siteName: string;
  readonly supportEmail: string;
  readonly publicUrl: (path: string) => string;
}

/**
 * Leaves the username out while the account is unverified or contested: a stranger could sign up with somebody's
 * mailbox and send them a message as the username.
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
