import { refusals } from '../http/refusals/refusals.ts';
import { isCommonPassword } from '../security/common-passwords.ts';

/** Shorter parts of a name occur in too many good passwords to be forbidden. */
const CONTEXT_WORD_MIN = 5;

const squeeze = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * Refuses a password that an attacker would try early: a common one, or one that is a word of the context, repeated or
 * with fewer than four other letters and digits.
 * @param field the name of the password's field in the call
 * @param context the site's name, the username and the email
 * @throws a 400 with the reason
 */
export async function checkNewPassword(password: string, field: string, context: readonly string[]): Promise<void> {
  if (await isCommonPassword(password)) {
    throw refusals.badInput('This password is among the most commonly used ones. Please choose another.', field);
  }
  const squeezed = squeeze(password);
  const words = context.flatMap((text) => [text, ...text.split(/[@.]/)]).map(squeeze);
  const isMadeOf = (word: string) =>
    word.length >= CONTEXT_WORD_MIN && squeezed.replaceAll(word, '').length < 4 && squeezed.includes(word);
  if (words.some(isMadeOf)) {
    throw refusals.badInput('This password is too close to your username, your email or the name of this site.', field);
  }
}
