import type { MetricsMode } from '../http/metrics.ts';
import { type Environment, readChoice, readText, SettingError } from './environment.ts';

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

const METRICS_MODES: readonly MetricsMode[] = ['public', 'token', 'loopback', 'off'];

/**
 * Who may read the metrics: without METRICS those with the token, if one is set, else everybody. The token is the bearer
 * token for clients on other machines, needed where `metrics` is `token`.
 */
export function readMetrics(env: Environment): { metrics: MetricsMode; metricsToken: string | undefined } {
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
