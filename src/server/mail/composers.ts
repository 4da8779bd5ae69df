import type { Connection } from '../database/database.ts';
import type { Milliseconds } from '../database/tables.ts';
import type { Mail } from './transport.ts';

/** What a composer is told of a mail in the queue. */
export interface QueuedMail {
  readonly userId: number;
  /** What the mail is about, where its purpose alone does not say it; of which kind is the purpose's own affair. */
  readonly subjectId: number | null;
  /** When it was first claimed: by a process that ended with the mail in flight, unless it is by this one. */
  readonly countedAt: Milliseconds | null;
}

/** A mail to hand over now, the time before which it may not go, or null when it is not to be sent at all. */
export type Composed = Omit<Mail, 'id'> | { readonly notBefore: Milliseconds } | null;

/** What a domain knows of the mails of one purpose. */
export interface Composer {
  /** Writes the mail at the moment of sending, in the transaction that claims it. */
  compose(db: Connection, queued: QueuedMail): Promise<Composed>;
  /** The mail server has it. Runs in the transaction that takes the mail off the queue. */
  handedOver?(db: Connection, queued: QueuedMail): Promise<void>;
  /** The mail server does not have it. Runs in the transaction that puts the mail back or off the queue. */
  notHandedOver?(db: Connection, queued: QueuedMail, mail: Mail): Promise<void>;
}

/** Who writes the mails of each purpose: every domain brings its own, and the outbox knows none of them. */
export type Composers<Purpose extends string> = Readonly<Record<Purpose, Composer>>;
