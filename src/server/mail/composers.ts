import type { Connection } from '../database/database.ts';
import type { Milliseconds } from '../database/tables.ts';
import type { Mail } from './transport.ts';

/** A queued mail, as a composer gets it. */
export interface QueuedMail {
  readonly userId: number;
  /** The id of the mail's subject, if its purpose needs one; the purpose says which table it is of. */
  readonly subjectId: number | null;
  /** When the mail was first claimed. If not by this process, the claiming process ended with the mail in flight. */
  readonly countedAt: Milliseconds | null;
}

/** A mail to hand over now, the time until which it must wait, or null when it is not to be sent. */
export type Composed = Omit<Mail, 'id'> | { readonly notBefore: Milliseconds } | null;

/** How a domain writes the mails of one purpose and follows what happens to them. */
export interface Composer {
  /** Writes the mail at the moment of sending, in the transaction that claims it. */
  compose(db: Connection, queued: QueuedMail): Promise<Composed>;
  /** The mail server accepted the mail. Runs in the transaction that deletes it from the queue. */
  handedOver?(db: Connection, queued: QueuedMail): Promise<void>;
  /** The mail server did not accept it. Runs in the transaction that postpones it or, when refused for good, deletes it. */
  notHandedOver?(db: Connection, queued: QueuedMail, mail: Mail): Promise<void>;
}

/** The composer of each purpose. Every domain brings its own; the outbox knows no domain. */
export type Composers<Purpose extends string> = Readonly<Record<Purpose, Composer>>;
