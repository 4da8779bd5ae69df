/** A mailbox as somebody types it at sign-up, and whether it is one by HTML's syntax. */
interface Mailbox {
  readonly name: string;
  readonly typed: string;
  readonly isAccepted: boolean;
  /** The same mailbox as a mail server understands it. */
  readonly sentTo: string;
}

const accepted = (name: string, typed: string, sentTo = typed): Mailbox => ({ name, typed, isAccepted: true, sentTo });
const refused = (name: string, typed: string): Mailbox => ({ name, typed, isAccepted: false, sentTo: '' });

export const MAILBOXES: readonly Mailbox[] = [
  accepted('upper case', 'Upper.CASE@Example.ORG', 'Upper.CASE@example.org'),
  accepted('a tag', 'a+tag@example.org'),
  accepted('an apostrophe', "o'brien@example.org"),
  accepted('signs that HTML allows', 'x!#$%&*/=?^`{|}~-_@example.org'),
  accepted('a leading dot', '.leading@example.org', '".leading"@example.org'),
  accepted('a name in punycode', 'x@xn--bcher-kva.example', 'x@bücher.example'),
  refused('another mailbox in brackets', 'x1<victim@b.example>'),
  refused('brackets alone', '<victim@b.example>'),
  refused('a name before brackets', 'Somebody <victim@b.example>'),
  refused('quotes', '"victim"@b.example'),
  refused('a comment', 'victim(comment)@b.example'),
  refused('a comment behind', 'victim@b.example (comment)'),
  refused('two with a comma', 'a@example.org,victim@b.example'),
  refused('two with a semicolon', 'a@example.org;victim@b.example'),
  refused('a group', 'group:victim@b.example;'),
  refused('a header', 'a@example.org\r\nBcc: victim@b.example'),
  refused('a line feed', 'a@example.org\nX-Header: y'),
  refused('a carriage return', 'a@example.org\r'),
  refused('a line separator', 'a@example.org\u2028'),
  refused('NUL', 'a\0@example.org'),
  refused('the Kelvin sign', '\u212Aelvin@example.org'),
  refused('a dotless i', 'v\u0131ctim@b.example'),
  refused('a Cyrillic letter', '\u0430dmin@example.org'),
  refused('full-width letters', '\uFF41@example.org'),
  refused('an accent of its own', 'e\u0301@example.org'),
  refused('a zero-width space', 'vic\u200Btim@b.example'),
  refused('a mark from right to left', '\u202Evictim@b.example'),
  refused('a blank before', ' a@example.org'),
  refused('a blank within', 'a@exam ple.org'),
  refused('a name without a dot', 'somebody@localhost'),
  refused('two at signs', 'a@b@example.org'),
  refused('a dash at the beginning of a name', 'a@-example.org'),
  refused('two dots in the domain', 'a@example..org'),
  refused('an address literal', 'a@[127.0.0.1]'),
  refused('a scheme', 'mailto:a@example.org'),
  refused('only a domain', '@example.org'),
  refused('a label that is too long', `a@${'b'.repeat(64)}.example`),
  refused('more than a mailbox can have', `${'a'.repeat(250)}@example.org`),
];

/** A username as somebody types it, and the status of the sign-up: 400 if it is invalid or misleading. */
export const USERNAMES: readonly (readonly [typed: string, status: 201 | 400])[] = [
  ...[
    ...['admin', 'ADMIN', 'aDmIn', 'administrator', 'anonymous', 'Anonymous', 'moderator', 'root', 'staff'],
    ...['support', 'system', 'deleted', 'null', 'undefined', 'NULL'],
    ...['\u0430dmin', 'adm\u0456n', '\uFF41\uFF44\uFF4D\uFF49\uFF4E', 'ad\u00ADmin', 'admin\u200B', 'admin\u202E'],
    ...['\u200B\u200C\u200D', '\u3164\u2800\uFE0F', '\u2066admin\u2069', 'Anonym\u043Eus', 'An\u0585nymous'],
    ...['Ann\u0430', '\u03A9mega', '\u3072\uD55C', '\u5B66', '\u3164\u3164\u3164', 'a\u0301\u0302\u0303\u0304b1'],
    ...['\u0661\u0662\u0663', '\u{1D423}\u{1D428}\u{1D421}\u{1D427}', '_ann', '.ann', '-ann'],
    ...[
      '__proto__',
      '...',
      '---',
      '\u{1F600}\u{1F600}\u{1F600}',
      'admin ',
      ' admin',
      'ad min',
      'two\nlines',
      'tab\tbed',
      'nul\0nul',
    ],
    ...['<b>bold</b>', '../../etc', "x'); drop table users", 'x@example.org', 'ab', 'a'.repeat(33), 'a'.repeat(10_000)],
  ].map((name) => [name, 400] as const),
  ...[
    ...['constructor', 'hasOwnProperty', '12345', ' around ', 'e\u0301mile', '\u212Aelvin', 'd\u0131dier'],
    ...['na\u00EFve', '\u5B66\u751F', '\uD559\uC0DD123', '\u0639\u0644\u064A99', '\u041F\u0451\u0442\u0440_1'],
    ...['\u3072\u3089\u30AB\u30CA\u6F22\u5B57', '\u6F22\u3105\u3106', '\u0928\u092E\u0938\u094D\u0924\u0947'],
  ].map((name) => [name, 201] as const),
];
