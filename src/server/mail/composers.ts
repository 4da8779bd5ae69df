import type { Connection } from '../database/database.ts';
import type { Milliseconds } from '../database/tables.ts';
import type { Mail } from './transport.ts';

/** A queued mail in the form that composers get. */
export interface QueuedMail {
  readonly userId: number;
  /** The id of the mail's subject, if its purpose needs one. Its table depends on the purpose. */
  readonly subjectId: number | null;
  /**
   * When the mail was claimed; null while it waits. If it is set when `compose` runs, an earlier hand-over was
   * interrupted: the mail is counted already, and may have arrived.
   */
  readonly countedAt: Milliseconds | null;
}

/** The mail to hand over now, the time until which it must wait, or null if it must not be sent. */
export type Composed = Omit<Mail, 'id' | 'userId'> | { readonly notBefore: Milliseconds } | null;

/** Writes the mails of one purpose and follows what happens to them. */
export interface Composer {
  /** The log may name the recipient. Never set for a mail about a review, where that would reveal the author. */
  readonly isAboutAccount?: true;
  /** Writes the mail when it is sent, in the transaction that claims it. */
  compose(db: Connection, queued: QueuedMail): Promise<Composed>;
  /** The mail server accepted the mail. Runs in the transaction that deletes it from the queue. */
  handedOver?(db: Connection, queued: QueuedMail): Promise<void>;
  /**
   * The mail server did not accept the mail. Runs in the transaction that postpones it or, after a permanent refusal,
   * deletes it.
   */
  notHandedOver?(db: Connection, queued: QueuedMail, mail: Mail): Promise<void>;
  /**
   * The mail will never be sent: it was refused for good, or waited for too long. Runs in the transaction that deletes
   * it.
   */
  givenUp?(db: Connection, queued: QueuedMail): Promise<void>;
}

/** The composer of each purpose. Each domain provides its own; the outbox imports no domain. */
export type Composers<Purpose extends string> = Readonly<Record<Purpose, Composer>>;

export function mapComposers<Purpose extends string>(
  composers: Composers<Purpose>,
  map: (composer: Composer, purpose: Purpose) => Composer,
): Composers<Purpose> {
  // Safe: the keys are those of the composers.
  const purposes = Object.keys(composers) as Purpose[];
  const mapped = purposes.map((purpose) => [purpose, map(composers[purpose], purpose)] as const);
  return Object.fromEntries(mapped) as unknown as Composers<Purpose>;
}
