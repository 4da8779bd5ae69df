import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { PROPOSAL_MODES } from '../../contract/proposals.ts';
import type { DatabaseAddress } from '../database/open.ts';
import { LIMITS } from '../http/limits/limits.ts';
import { MAINTENANCE_MODES } from '../http/maintenance.ts';
import type { MetricsMode } from '../http/metrics.ts';
import type { Sender } from '../mail/transport.ts';
import {
  type Environment,
  parseUrl,
  readChoice,
  readLine,
  readOrigin,
  readSwitch,
  readText,
  readUrl,
  readWhole,
  SettingError,
} from './environment.ts';

export type Settings = Readonly<ReturnType<typeof readSettings>>;

/** Others are refused: a site started with a misspelt `production` would log passcodes. */
const NODE_ENVS = ['development', 'test', 'production'] as const;

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

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

/** @throws {SettingError} when there is no such folder and none can be made, or it cannot be written */
function makeDataDir(path: string): void {
  try {
    makeFolder(path);
    // The dot refuses a file: root may write and enter one that can be executed.
    accessSync(`${path}/.`, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new SettingError(
      'DATA_DIR',
      `is ${path}, which cannot be written (${reason})`,
      'a folder that can be written',
    );
  }
}

const POSTGRES = ['postgres:', 'postgresql:'];

/** Variables that have a meaning only with a PostgreSQL `DATABASE_URL`, and what each of them must name. */
const ONLY_POSTGRES = {
  DATABASE_LISTEN_URL: 'the same database past its pooler',
  DATABASE_REPLICA_URLS: 'replicas of a PostgreSQL primary',
};

/** Where the data is: PostgreSQL if its address is given, else a file in the data folder. */
function readDatabase(env: Environment, postgres: string | undefined, dataDir: string): DatabaseAddress {
  const listen = readUrl(env, 'DATABASE_LISTEN_URL', POSTGRES)?.href;
  const replicas = readReplicas(env);
  const poolMax = readWhole(env, 'DATABASE_POOL', 10, 1_000, 1);
  if (postgres !== undefined) return { postgres, listen, replicas, poolMax };
  for (const [variable, allowed] of Object.entries(ONLY_POSTGRES)) {
    if (readText(env, variable)) throw new SettingError(variable, 'is set without a PostgreSQL DATABASE_URL', allowed);
  }
  return { sqlite: join(dataDir, 'school-reviews.sqlite') };
}

function readReplicas(env: Environment): string[] {
  const urls = (readText(env, 'DATABASE_REPLICA_URLS') ?? '').split(',').map((url) => url.trim());
  return urls.filter((url) => url !== '').map((url) => parseUrl('DATABASE_REPLICA_URLS', url, POSTGRES).href);
}

const MAILBOX = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\]+$/;

/** Exactly one mailbox, because more text would have a meaning in the header of a mail. */
function readMailbox(env: Environment, variable: string, fallback: string): string {
  const value = readText(env, variable) ?? fallback;
  if (!MAILBOX.test(value)) {
    throw new SettingError(variable, `is "${value}"`, 'an email address such as somebody@example.com');
  }
  return value;
}

/** `no-reply@example.com` or `School Reviews <no-reply@example.com>`. */
function readSender(env: Environment, variable: string, fallback: string): Sender {
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

function readTokenSecret(env: Environment, mustBeGiven: boolean): string | undefined {
  const secret = readText(env, 'TOKEN_SECRET');
  if (secret === undefined && mustBeGiven) {
    throw new SettingError('TOKEN_SECRET', 'is not set', 'at least 32 bytes, the same for every process on PostgreSQL');
  }
  return requireLength(secret, 'TOKEN_SECRET');
}

function readPreviousSecret(env: Environment): string | undefined {
  return requireLength(readText(env, 'TOKEN_SECRET_PREVIOUS'), 'TOKEN_SECRET_PREVIOUS');
}

/** The characters of a bearer token (RFC 6750 §2.1). */
const BEARER = /^[\w.~+/-]+=*$/;

const METRICS_MODES: readonly MetricsMode[] = ['public', 'token', 'loopback', 'off'];

/**
 * Who may read the metrics: without METRICS those with the token, if one is set, else everybody. The token is the bearer
 * token for clients on other machines, needed where `metrics` is `token`.
 */
function readMetrics(env: Environment): { metrics: MetricsMode; metricsToken: string | undefined } {
  const metricsToken = readMetricsToken(env);
  const metrics = readChoice(env, 'METRICS', METRICS_MODES, metricsToken === undefined ? 'public' : 'token');
  if (metrics === 'token' && metricsToken === undefined) {
    throw new SettingError('METRICS_TOKEN', 'is not set although METRICS is "token"', 'at least 32 bytes');
  }
  return { metrics, metricsToken };
}

function readMetricsToken(env: Environment): string | undefined {
  const token = requireLength(readText(env, 'METRICS_TOKEN'), 'METRICS_TOKEN');
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

function readModel(env: Environment) {
  const baseUrl = readUrl(env, 'LLM_BASE_URL', ['http:', 'https:']);
  const callsPerDay = readWhole(env, 'LLM_CALLS_PER_DAY', LIMITS.modelCalls.max, 1_000_000);
  if (!baseUrl) return undefined;
  const name = readLine(env, 'LLM_MODEL');
  if (!name) throw new SettingError('LLM_MODEL', 'is not set although LLM_BASE_URL is', 'the name of a model');
  return { baseUrl: baseUrl.href, apiKey: readLine(env, 'LLM_API_KEY') ?? 'none', name, callsPerDay };
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
  const value = readText(env, 'TRUST_PROXY');
  if (value === undefined || /^(off|false)$/i.test(value)) return false;
  if (!value.split(',').every((range) => isAddressRange(range.trim()))) {
    throw new SettingError('TRUST_PROXY', `is "${value}"`, 'off, or the addresses of the proxies such as 10.0.0.0/8');
  }
  return value;
}

/** The file in DATA_DIR that names the mode while the product runs. */
export const MAINTENANCE_FILE = 'maintenance';

/**
 * Reads and checks every setting. Its only side effect is to make DATA_DIR, once all others can be used.
 * @throws {SettingError} for the first variable that cannot be used
 */
export function readSettings(env: Environment = process.env) {
  const settings = checkSettings(env);
  makeDataDir(settings.dataDir);
  return settings;
}

function checkSettings(env: Environment) {
  const isProduction = readChoice(env, 'NODE_ENV', NODE_ENVS, 'development') === 'production';
  const databaseUrl = readUrl(env, 'DATABASE_URL', POSTGRES)?.href;
  const port = readWhole(env, 'PORT', 3000, 65_535);
  const dataDir = resolve(readText(env, 'DATA_DIR') ?? './data');
  const database = readDatabase(env, databaseUrl, dataDir);
  const sampleData = readSwitch(env, 'SAMPLE_DATA', false);
  const adminMail = readChoice(env, 'ADMIN_MAIL', ['daily', 'off'], 'daily');
  const host = readText(env, 'HOST') ?? '127.0.0.1';
  return {
    isProduction,
    host,
    port,
    dataDir,
    database,
    /** Undefined: the address that the server listens on is used. */
    publicUrl: readOrigin(env, 'PUBLIC_URL'),
    smtpUrl: readUrl(env, 'SMTP_URL', ['smtp:', 'smtps:'])?.href,
    mailFrom: readSender(env, 'MAIL_FROM', 'no-reply@localhost'),
    /** Undefined: it is generated once and stored in dataDir. */
    tokenSecret: readTokenSecret(env, isProduction && databaseUrl !== undefined),
    /** The previous secret, whose tokens and codes stay valid while the secret is being changed. */
    previousTokenSecret: readPreviousSecret(env),
    ...readMetrics(env),
    model: readModel(env),
    siteName: readLine(env, 'SITE_NAME') ?? 'School Reviews',
    supportEmail: readMailbox(env, 'SUPPORT_EMAIL', 'support@example.com'),
    /** The licence under which the operator gives dumps away. */
    dumpLicence: readLine(env, 'DUMP_LICENCE'),
    sampleData,
    /** Whether admins are mailed what waits for them, at most once a day. */
    adminMail: adminMail === 'daily' && !sampleData,
    /** How proposals are handled. */
    proposals: readChoice(env, 'PROPOSALS', PROPOSAL_MODES, 'review'),
    /** The mode while no file `MAINTENANCE_FILE` in dataDir names one; `read` also at each start. */
    maintenance: readChoice(env, 'MAINTENANCE', MAINTENANCE_MODES, 'off'),
    trustProxy: readTrustProxy(env),
    logLevel: readChoice(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    rateLimit: readSwitch(env, 'RATE_LIMIT', true),
    /** The memory for cached responses; 0 turns the cache off. */
    cacheBytes: readWhole(env, 'CACHE_MB', 64, 65_536) * 1024 * 1024,
    /** How long a shared cache such as a CDN may answer public reads without asking the server; 0: never. */
    sharedCacheSeconds: readWhole(env, 'SHARED_CACHE_SECONDS', 0, 86_400),
  };
}

/** The password for a new admin, not trimmed; undefined when ADMIN_PASSWORD is not set. */
export function readAdminPassword(env: Environment = process.env): string | undefined {
  return env.ADMIN_PASSWORD || undefined;
}

/**
 * The folder in which the operator started npm. npm runs scripts in the folder of package.json and names the operator's
 * folder in INIT_CWD.
 */
export function readStartFolder(env: Environment = process.env): string {
  return readText(env, 'INIT_CWD') ?? process.cwd();
}
