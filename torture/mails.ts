import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The files of the mails that a product without a mail server has written. */
export function listMails(dataDir: string): string[] {
  const folder = path.join(dataDir, 'mail');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => path.join(folder, name));
}

export const recipientOf = (mail: string): string => /^To: (\S+)$/m.exec(readFileSync(mail, 'utf8'))?.[1] ?? '';

/** The passcode in a mail that a line of the log tells of, if it does. */
export function readCode(line: Record<string, unknown>): { readonly to: string; readonly code: string } | undefined {
  const { event, path: mail, code } = line;
  if (event !== 'mail-written' || typeof code !== 'string') return undefined;
  return { to: recipientOf(String(mail)), code };
}
