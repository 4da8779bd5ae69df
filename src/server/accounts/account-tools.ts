import type { Database } from '../database/database.ts';
import type { Milliseconds } from '../database/tables.ts';
import type { Throttles } from '../http/limits/throttle.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { Keys } from '../security/secrets.ts';
import type { AccountMailPurpose } from './mail-quotas.ts';

/** The tools that the functions for accounts need. */
export interface AccountTools {
  readonly database: Database;
  readonly keys: Keys;
  readonly throttles: Throttles;
  readonly outbox: Pick<Outbox<AccountMailPurpose>, 'queue'>;
  readonly siteName: string;
  readonly supportEmail: string;
  readonly now: () => Milliseconds;
}
