// Nothing listens for a lost connection to PostgreSQL, so that one ends the process.
import type { openPool } from '../../src/server/database/postgres-pool.ts';
import { wrapFunction } from './wrap-function.ts';

wrapFunction<typeof openPool>(
  'database/postgres-pool.ts',
  'openPool',
  (open) =>
    (...args) =>
      open(...args).removeAllListeners('error'),
);
