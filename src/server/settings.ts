import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { PROPOSAL_MODES, type ProposalMode } from '../contract/proposals.ts';
import type { DatabaseAddress } from './database/open.ts';
import { LIMITS } from './limits/limits.ts';

/** A setting that cannot be used. Its message names the variable, the error and the allowed values. */
export class SettingError extends Error {
  override readonly name = 'SettingError';

  constructor(variable: string, wrong: string, allowed: string) {
    super(`${variable} ${wrong}. Allowed: ${allowed}.`);
  }
}

export interface Settings {
  readonly isProduction: boolean;
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly database: DatabaseAddress;
  /** Undefined: the address that the server listens on is used. */
  readonly publicUrl: URL | undefined;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: Sender;
  /** Undefined: it is generated once and stored in dataDir. */
  readonly tokenSecret: string | undefined;
  /** The previous secret, whose tokens and codes stay valid while the secret is being changed. */
  readonly previousTokenSecret: string | undefined;
  /** Undefined: everybody may read the metrics. */
  readonly metricsToken: string | undefined;
  readonly model: { baseUrl: string; apiKey: string; name: string; callsPerDay: number } | undefined;
  readonly siteName: string;
  readonly supportEmail: string;
  readonly sampleData: boolean;
  /** What happens with proposals. */
  readonly proposals: ProposalMode;
  readonly trustProxy: boolean | string;
  readonly logLevel: string;
  readonly rateLimit: boolean;
  /** The memory for cached responses; 0 turns the cache off. */
  readonly cacheBytes: number;
  /** How long a shared cache such as a CDN may answer public reads without asking the server; 0: never. */
  readonly sharedCacheSeconds: number;
}

const POSTGRES = ['postgres:', 'postgresql:'];
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** The environment variables. An empty one counts as not set. */
type Environment = Readonly<Record<string, string | undefined>>;

function given(env: Environment, variable: string): string | undefined {
  const value = env[variable]?.trim();
  return value === '' ? undefined : value;
}

function readSwitch(env: Environment, variable: string, fallback: boolean): boolean {
  const value = given(env, variable)?.toLowerCase();
  if (value === undefined) return fallback;
  if (['on', 'true', '1'].includes(value)) return true;
  if (['off', 'false', '0'].includes(value)) return false;
  throw new SettingError(variable, `is "${value}"`, 'on or off');
}

function readWhole(env: Environment, variable: string, fallback: number, max: number, min = 0): number {
  const value = given(env, variable) ?? String(fallback);
  const number = Number(value);
  if (!/^\d+$/.test(value) || number > max || number < min) {
    throw new SettingError(variable, `is "${value}"`, `a whole number from ${min} to ${max}`);
  }
  return number;
}

function readUrl(env: Environment, variable: string, protocols: readonly string[]): URL | undefined {
  const value = given(env, variable);
  if (value === undefined) return undefined;
  const url = URL.parse(value);
  if (!url || !protocols.includes(url.protocol) || url.hostname === '') {
    const allowed = protocols.map((protocol) => `${protocol}//…`).join(' or ');
    // The message does not contain the value: such addresses contain passwords, and the line is logged.
    throw new SettingError(variable, 'is not such an address', allowed);
  }
  return url;
}

/** @throws {SettingError} when it is not the address of a PostgreSQL database */
function readPostgresUrl(env: Environment, variable: string): string | undefined {
  return readUrl(env, variable, POSTGRES)?.href;
}

/** Recursive here: Node's recursive mkdir never returns where no folder can be made, such as below /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that started at the same moment may have made it.
    if (!existsSync(path)) throw error;
  }
}

function readDataDir(env: Environment): string {
  const path = resolve(given(env, 'DATA_DIR') ?? './data');
  try {
    makeFolder(path);
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new SettingError(
      'DATA_DIR',
      `is ${path}, which cannot be written (${reason})`,
      'a folder that can be written',
    );
  }
  return path;
}

function readTokenSecret(env: Environment, mustBeGiven: boolean): string | undefined {
  const secret = given(env, 'TOKEN_SECRET');
  if (secret === undefined && mustBeGiven) {
    throw new SettingError('TOKEN_SECRET', 'is not set', 'at least 32 bytes, the same for every process on PostgreSQL');
  }
  return requireLength(secret, 'TOKEN_SECRET');
}

function readPreviousSecret(env: Environment): string | undefined {
  return requireLength(given(env, 'TOKEN_SECRET_PREVIOUS'), 'TOKEN_SECRET_PREVIOUS');
}

/** The characters of a bearer token (RFC 6750 §2.1). */
const BEARER = /^[\w.~+/-]+=*$/;

function readMetricsToken(env: Environment): string | undefined {
  const token = requireLength(given(env, 'METRICS_TOKEN'), 'METRICS_TOKEN');
  if (token !== undefined && !BEARER.test(token)) {
    throw new SettingError('METRICS_TOKEN', 'has other characters', 'letters, digits and -._~+/');
  }
  return token;
}

function requireLength(secret: string | undefined, variable: string): string | undefined {
  if (secret !== undefined && Buffer.byteLength(secret) < 32) {
    throw new SettingError(variable, `has ${Buffer.byteLength(secret)} bytes`, 'at least 32 bytes');
  }
  return secret;
}

function readModel(env: Environment): Settings['model'] {
  const baseUrl = readUrl(env, 'LLM_BASE_URL', ['http:', 'https:']);
  const callsPerDay = readWhole(env, 'LLM_CALLS_PER_DAY', LIMITS.modelCalls.max, 1_000_000);
  if (!baseUrl) return undefined;
  const name = given(env, 'LLM_MODEL');
  if (!name) throw new SettingError('LLM_MODEL', 'is not set although LLM_BASE_URL is', 'the name of a model');
  return { baseUrl: baseUrl.href, apiKey: given(env, 'LLM_API_KEY') ?? 'none', name, callsPerDay };
}

/** An IP address, or a range such as 10.0.0.0/8, but not the whole internet. */
function isAddressRange(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

/** A number of hops is not accepted: behind fewer proxies, a client could claim any address. */
function readTrustProxy(env: Environment): boolean | string {
  const value = given(env, 'TRUST_PROXY');
  if (value === undefined || /^(off|false)$/i.test(value)) return false;
  if (!value.split(',').every((range) => isAddressRange(range.trim()))) {
    throw new SettingError('TRUST_PROXY', `is "${value}"`, 'off, or the addresses of the proxies such as 10.0.0.0/8');
  }
  return value;
}

/** The sender in mails: a mailbox with or without a name. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

const MAILBOX = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\]+$/;

/** Exactly one mailbox, because more text would have a meaning in the header of a mail. */
function readMailbox(env: Environment, variable: string, fallback: string): string {
  const value = given(env, variable) ?? fallback;
  if (!MAILBOX.test(value)) {
    throw new SettingError(variable, `is "${value}"`, 'an email address such as somebody@example.com');
  }
  return value;
}

/** `no-reply@example.com` or `School Reviews <no-reply@example.com>`. */
function readSender(env: Environment, variable: string, fallback: string): Sender {
  const value = given(env, variable) ?? fallback;
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

function readListenUrl(env: Environment, isPostgres: boolean): string | undefined {
  const url = readPostgresUrl(env, 'DATABASE_LISTEN_URL');
  if (url && !isPostgres) {
    throw new SettingError(
      'DATABASE_LISTEN_URL',
      'is set without a PostgreSQL DATABASE_URL',
      'the same database past its pooler',
    );
  }
  return url;
}

function readReplicas(env: Environment, isPostgres: boolean): string[] {
  const urls = (given(env, 'DATABASE_REPLICA_URLS') ?? '').split(',').filter((url) => url.trim() !== '');
  if (urls.length > 0 && !isPostgres) {
    throw new SettingError(
      'DATABASE_REPLICA_URLS',
      'is set without a PostgreSQL DATABASE_URL',
      'replicas of a PostgreSQL primary',
    );
  }
  return urls.map((url) => {
    readPostgresUrl({ DATABASE_REPLICA_URLS: url }, 'DATABASE_REPLICA_URLS');
    return url.trim();
  });
}

function readProposals(env: Environment): ProposalMode {
  const value = given(env, 'PROPOSALS')?.toLowerCase() ?? 'review';
  const mode = PROPOSAL_MODES.find((one) => one === value);
  if (!mode) throw new SettingError('PROPOSALS', `is "${value}"`, PROPOSAL_MODES.join(', '));
  return mode;
}

function readLogLevel(env: Environment): string {
  const level = given(env, 'LOG_LEVEL') ?? 'info';
  if (!LOG_LEVELS.includes(level)) throw new SettingError('LOG_LEVEL', `is "${level}"`, LOG_LEVELS.join(', '));
  return level;
}

/**
 * Reads and checks every setting. Its only side effect is to make DATA_DIR.
 * @throws {SettingError} for the first variable that cannot be used
 */
export function readSettings(env: Environment = process.env): Settings {
  const isProduction = given(env, 'NODE_ENV') === 'production';
  const databaseUrl = readPostgresUrl(env, 'DATABASE_URL');
  const port = readWhole(env, 'PORT', 3000, 65_535);
  const dataDir = readDataDir(env);
  const listen = readListenUrl(env, databaseUrl !== undefined);
  const replicas = readReplicas(env, databaseUrl !== undefined);
  const poolMax = readWhole(env, 'DATABASE_POOL', 10, 1_000, 1);
  const database = databaseUrl
    ? { postgres: databaseUrl, listen, replicas, poolMax }
    : { sqlite: join(dataDir, 'school-reviews.sqlite') };
  const host = given(env, 'HOST') ?? '127.0.0.1';
  return {
    isProduction,
    host,
    port,
    dataDir,
    database,
    publicUrl: readUrl(env, 'PUBLIC_URL', ['http:', 'https:']),
    smtpUrl: readUrl(env, 'SMTP_URL', ['smtp:', 'smtps:'])?.href,
    mailFrom: readSender(env, 'MAIL_FROM', 'no-reply@localhost'),
    tokenSecret: readTokenSecret(env, isProduction && databaseUrl !== undefined),
    previousTokenSecret: readPreviousSecret(env),
    metricsToken: readMetricsToken(env),
    model: readModel(env),
    siteName: given(env, 'SITE_NAME') ?? 'School Reviews',
    supportEmail: readMailbox(env, 'SUPPORT_EMAIL', 'support@example.com'),
    sampleData: readSwitch(env, 'SAMPLE_DATA', false),
    proposals: readProposals(env),
    trustProxy: readTrustProxy(env),
    logLevel: readLogLevel(env),
    rateLimit: readSwitch(env, 'RATE_LIMIT', true),
    cacheBytes: readWhole(env, 'CACHE_MB', 64, 65_536) * 1024 * 1024,
    sharedCacheSeconds: readWhole(env, 'SHARED_CACHE_SECONDS', 0, 86_400),
  };
}

/** The password for a new admin, not trimmed; undefined when ADMIN_PASSWORD is not set. */
export function readAdminPassword(env: Environment = process.env): string | undefined {
  return env.ADMIN_PASSWORD || undefined;
}

/**
 * Reads the address of a PostgreSQL database from the arguments of a command.
 * @throws {SettingError} when it is none
 */
export function readTarget(target: string): string {
  return readPostgresUrl({ 'The target': target }, 'The target') ?? '';
}

/**
 * The folder in which the operator started npm. npm runs scripts in the folder of package.json and passes the other one
 * in INIT_CWD.
 */
export function readStartFolder(env: Environment = process.env): string {
  return given(env, 'INIT_CWD') ?? process.cwd();
}
