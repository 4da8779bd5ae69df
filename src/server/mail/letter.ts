import type { UserRow } from '../database/tables.ts';
import type { Mail } from './transport.ts';

/** Who writes. */
export interface Site {
  readonly siteName: string;
  readonly supportEmail: string;
}

/** No username unless the mailbox is proved: a stranger could sign up with it and use the name as a message. */
export const greet = (user: Pick<UserRow, 'username' | 'verified_at' | 'is_contested'>) =>
  user.verified_at === null || user.is_contested === 1 ? 'Hello,' : `Hello ${user.username},`;

/** The form that every mail of the site has. @param paragraphs what stands between the greeting and the signature */
export function writeLetter(
  { siteName, supportEmail }: Site,
  { subject, greeting, paragraphs }: { subject: string; greeting: string; paragraphs: readonly string[] },
): Pick<Mail, 'subject' | 'text'> {
  const text = [greeting, ...paragraphs, `${siteName}\n${supportEmail}`].join('\n\n');
  return { subject: `${siteName}: ${subject}`, text: `${text}\n` };
}
