/**
 * Email addresses: what the form accepts and what the server accepts.
 *
 * The browser's rule is the specification's (§5). It admits spellings such as `x<victim@b.c>` that a mailer would
 * deliver to somebody else, so the server takes only the syntax of HTML's email field and says the same sentence.
 */
export const EMAIL_MAX = 254;

export const INVALID_EMAIL = 'Please enter a valid email address.';

const TYPED_EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address, and at least one dot in the domain. */
export const HTML_EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/;

/** The form's check: text, an @, text, a dot, text, with no spaces. */
export function isTypedEmail(value: string): boolean {
  return TYPED_EMAIL.test(value);
}

/** Whether the server would take it. */
export function isEmail(value: string): boolean {
  return value.length <= EMAIL_MAX && HTML_EMAIL.test(value);
}
