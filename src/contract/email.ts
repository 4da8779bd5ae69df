/**
 * Email addresses: what the form accepts and what the server accepts. The form's rule is the specification's (§5). It
 * allows spellings such as `x<victim@b.c>`, which a mailer would deliver to somebody else. The server therefore accepts
 * only the syntax of HTML's email field, and refuses others with the same sentence.
 */
export const EMAIL_MAX = 254;

export const INVALID_EMAIL = 'Please enter a valid email address.';

const TYPED_EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address, with at least one dot in the domain. */
export const HTML_EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/;

/** The form's check: text, an @, text, a dot, text, with no spaces. */
export function isTypedEmail(value: string): boolean {
  return TYPED_EMAIL.test(value);
}

/** Whether the server accepts an address. */
export function isEmail(value: string): boolean {
  return value.length <= EMAIL_MAX && HTML_EMAIL.test(value);
}
