import type { Mail } from './transport.ts';

/** Who writes. */
export interface Site {
  readonly siteName: string;
  readonly supportEmail: string;
}

/** The form that every mail of the site has. @param paragraphs what stands between the greeting and the signature */
export function writeLetter(
  { siteName, supportEmail }: Site,
  { subject, greeting, paragraphs }: { subject: string; greeting: string; paragraphs: readonly string[] },
): Pick<Mail, 'subject' | 'text'> {
  const text = [greeting, ...paragraphs, `${siteName}\n${supportEmail}`].join('\n\n');
  return { subject: `${siteName}: ${subject}`, text: `${text}\n` };
}
