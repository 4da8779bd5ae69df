import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readSettings } from '../../src/server/settings/settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'school-reviews-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'a-file'), '');
writeFileSync(join(folder, 'a-program'), '', { mode: 0o755 });

const POSTGRES = { DATABASE_URL: 'postgres://one@localhost/two', TOKEN_SECRET: 'x'.repeat(32) };

/** Values that no setting of a kind can have. */
const NO_NUMBERS = ['-1', '1.5', '1e3', '0x10', 'three', 'NaN', 'Infinity', '٣', '9'.repeat(400)];
const NO_SWITCHES = ['yes', '2', 'enabled', 'onn', 'null'];
const NO_WEB_ADDRESSES = [
  'example.org',
  'ftp://example.org',
  'javascript:alert(1)',
  '//example.org',
  'http://',
  'http://a b',
];
const NO_MAILBOXES = [
  ...['nobody', 'a@b@c', 'a@b.example, c@d.example', 'a@b.example\r\nBcc: c@d.example', '<a@b.example'],
  ...['a b@c.example'],
];

const NO_LINES = ['One\r\nBcc: c@d.example', 'one\ttwo'];

/** A model, without which no setting of it is read. */
const MODEL = { LLM_BASE_URL: 'http://localhost/v1', LLM_MODEL: 'one' };

const BAD: Readonly<Record<string, readonly string[]>> = {
  PORT: [...NO_NUMBERS, '65536', '70000'],
  DATABASE_POOL: [...NO_NUMBERS, '0', '1001'],
  CACHE_MB: [...NO_NUMBERS, '65537'],
  LLM_CALLS_PER_DAY: [...NO_NUMBERS, '1000001'],
  SHARED_CACHE_SECONDS: [...NO_NUMBERS, '86401'],
  RATE_LIMIT: NO_SWITCHES,
  SAMPLE_DATA: NO_SWITCHES,
  PROPOSALS: ['on', 'closed', 'review,open', '1'],
  PUBLIC_URL: [
    ...NO_WEB_ADDRESSES,
    'https://example.org/path',
    'https://one:hunter2@example.org',
    'https://example.org/?a=b',
    'https://example.org/#x',
  ],
  LLM_BASE_URL: NO_WEB_ADDRESSES,
  SMTP_URL: ['mail.example', 'http://one:hunter2@mail.example', 'smtp:', 'smtp://'],
  DATABASE_URL: ['mysql://one:hunter2@localhost/x', 'localhost', 'postgres:', 'postgres://'],
  DATABASE_LISTEN_URL: ['localhost', 'http://localhost'],
  DATABASE_REPLICA_URLS: ['localhost', 'postgres://one/x,two'],
  MAIL_FROM: NO_MAILBOXES,
  SUPPORT_EMAIL: [...NO_MAILBOXES, 'Name <a@b.example>'],
  TOKEN_SECRET: ['short', 'x'.repeat(31)],
  TOKEN_SECRET_PREVIOUS: ['short', 'x'.repeat(31)],
  METRICS_TOKEN: ['short', 'x'.repeat(31), `${'x'.repeat(32)} y`, 'ü'.repeat(16)],
  TRUST_PROXY: ['1', 'true', 'proxy', '999.1.1.1', '10.0.0.0/33', '10.0.0.0/0', '10.0.0.1,', '::1/129', '10.0.0.0/8/8'],
  NODE_ENV: ['prod', 'productive'],
  LOG_LEVEL: ['loud', 'info,debug'],
  SITE_NAME: NO_LINES,
  DUMP_LICENCE: NO_LINES,
  LLM_API_KEY: NO_LINES,
  LLM_MODEL: NO_LINES,
  DATA_DIR: [join(folder, 'a-file'), join(folder, 'a-program'), join(folder, 'a-file', 'below'), '/proc/none/such'],
};

describe('settings', () => {
  test.each(Object.entries(BAD).flatMap(([name, values]) => values.map((value) => ({ name, value }))))(
    '$name=$value ends the start with one line that names it and says what is allowed',
    ({ name, value }) => {
      const postgres = /^(DATABASE|TOKEN)/.test(name) ? POSTGRES : {};
      const env = { DATA_DIR: join(folder, 'none'), ...postgres, ...MODEL, [name]: value };
      let message = '';
      try {
        readSettings(env);
      } catch (error) {
        message = error instanceof Error ? error.message : '';
      }
      expect(message).toMatch(new RegExp(`^${name}\\b`));
      expect(message.length).toBeGreaterThan(name.length + 20);
      // The message is one line, whatever the value holds, and names no address, which may carry a password.
      expect(message.replaceAll(value, '')).not.toMatch(/[\r\n]/);
      expect(message).not.toContain('hunter2');
      expect(existsSync(join(folder, 'none'))).toBe(false);
    },
  );

  test('a model without a name, replicas and a listener without PostgreSQL, production without a secret are refused', () => {
    const refused: [string, Record<string, string>][] = [
      ['LLM_MODEL', { LLM_BASE_URL: 'http://localhost/v1' }],
      ['DATABASE_REPLICA_URLS', { DATABASE_REPLICA_URLS: 'postgres://one@localhost/two' }],
      ['DATABASE_LISTEN_URL', { DATABASE_LISTEN_URL: 'postgres://one@localhost/two' }],
      ['TOKEN_SECRET', { DATABASE_URL: 'postgres://one@localhost/two', NODE_ENV: 'production' }],
    ];
    for (const [name, env] of refused) expect(() => readSettings({ DATA_DIR: folder, ...env })).toThrow(name);
  });

  test('what is empty counts as not given', () => {
    const names = Object.keys(BAD).filter((name) => name !== 'DATA_DIR');
    const empty = Object.fromEntries(names.map((name) => [name, '']));
    expect(readSettings({ ...empty, DATA_DIR: folder })).toEqual(readSettings({ DATA_DIR: folder }));
  });
});
