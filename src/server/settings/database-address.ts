import { isUnavailable } from '../database/failures.ts';
import type { DatabaseAddress } from '../database/open.ts';
import { SettingError } from './environment.ts';

/** PostgreSQL's errors about a user, a password or a database that the server does not have. */
const NOT_THERE = ['28000', '28P01', '3D000'];

/** @throws {SettingError} instead of an error that PostgreSQL's address can be the cause of */
export function blameAddress(error: unknown, address: DatabaseAddress): never {
  const { code = '', message } = (error ?? {}) as { code?: string; message?: string };
  if ('sqlite' in address || !(isUnavailable(error) || NOT_THERE.includes(code))) throw error;
  throw new SettingError(
    address.listen === undefined ? 'DATABASE_URL' : 'DATABASE_URL or DATABASE_LISTEN_URL',
    `leads to no database that can be used (${message || code})`,
    'a running PostgreSQL server, and a user and a database that it has',
  );
}
