import { type Environment, readText, SettingError } from './environment.ts';

export function readTokenSecret(env: Environment, mustBeGiven: boolean): string | undefined {
  const secret = readText(env, 'TOKEN_SECRET');
  if (secret === undefined && mustBeGiven) {
    throw new SettingError('TOKEN_SECRET', 'is not set', 'at least 32 bytes, the same for every process on PostgreSQL');
  }
  return requireLength(secret, 'TOKEN_SECRET');
}

export function readPreviousSecret(env: Environment): string | undefined {
  return requireLength(readText(env, 'TOKEN_SECRET_PREVIOUS'), 'TOKEN_SECRET_PREVIOUS');
}

/** The characters of a bearer token (RFC 6750 §2.1). */
const BEARER = /^[\w.~+/-]+=*$/;

export function readMetricsToken(env: Environment): string | undefined {
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
