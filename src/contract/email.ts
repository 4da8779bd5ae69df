/**
 * Email addresses: what the form accepts and what the server accepts. The form's rule is the specification's (§5). It
 * allows spellings such as `x<victim@b.c>`, which a mailer would deliver to somebody else. The server therefore accepts
 * only the syntax of HTML's email field, and refuses others with the same sentence.
 */

export const EMAIL_MAX = 254;

export const INVALID_EMAIL = 'Please enter a valid email address.';

const FORM_EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address, with at least one dot in the domain. */
export const HTML_EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/;

/** Whether the form accepts an address: text, an @, text, a dot, text, with no spaces. */
export function looksLikeEmail(value: string): boolean {
  return FORM_EMAIL.test(value);
}

/** Whether the server accepts an address. */
export function isAcceptedEmail(value: string): boolean {
  return value.length <= EMAIL_MAX && HTML_EMAIL.test(value);
}
