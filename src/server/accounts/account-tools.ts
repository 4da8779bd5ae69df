import type { Database } from '../database/database.ts';
import type { LimitedTools } from '../http/limits/throttle.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { Keys } from '../security/secrets.ts';
import type { AccountMailPurpose } from './mail-quotas.ts';

/** The tools that the functions for accounts need. */
export interface AccountTools extends LimitedTools {
  readonly database: Database;
  readonly keys: Keys;
  readonly outbox: Pick<Outbox<AccountMailPurpose>, 'queue'>;
  readonly siteName: string;
  readonly supportEmail: string;
}
