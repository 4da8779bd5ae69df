import type { Sender } from '../mail/transport.ts';
import { type Environment, readText, SettingError } from './environment.ts';

const MAILBOX = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\]+$/;

/** Exactly one mailbox, because more text would have a meaning in the header of a mail. */
export function readMailbox(env: Environment, variable: string, fallback: string): string {
  const value = readText(env, variable) ?? fallback;
  if (!MAILBOX.test(value)) {
    throw new SettingError(variable, `is "${value}"`, 'an email address such as somebody@example.com');
  }
  return value;
}

/** `no-reply@example.com` or `School Reviews <no-reply@example.com>`. */
export function readSender(env: Environment, variable: string, fallback: string): Sender {
  const value = readText(env, variable) ?? fallback;
  const [, name = '', address = value] = /^"?([^"<>\r\n]*?)"?\s*<([^<>]+)>$/.exec(value) ?? [];
  if (!MAILBOX.test(address)) {
    throw new SettingError(
      variable,
      `is "${value}"`,
      'an address such as no-reply@example.com or Name <no-reply@example.com>',
    );
  }
  return { name, address };
}
