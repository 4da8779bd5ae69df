import type { AccountMail } from '../../../contract/user-state.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { type Composers, mapComposers } from '../../mail/composers.ts';
import type { AccountMailPurpose } from '../mail-quotas.ts';
import type { UserMailPurpose } from '../users/mails.ts';
import { noteMail } from './queries.ts';

/** The mails whose outcome is recorded. */
type NotedPurpose = AccountMailPurpose | UserMailPurpose;

/** What each mail is called for admins and owners. */
export const SHOWN_AS: Readonly<Record<NotedPurpose, AccountMail>> = {
  verify: 'signup',
  reset: 'reset',
  'password-changed': 'changed',
  email: 'email',
  'email-asked': 'email',
  'email-changed': 'email',
  'user-blocked': 'blocked',
};

/** Composers of mails about accounts that note what becomes of each. */
export function notingMails<Purpose extends NotedPurpose>(
  composers: Composers<Purpose>,
  now: () => Milliseconds,
): Composers<Purpose> {
  return mapComposers(composers, (composer, purpose) => ({
    ...composer,
    isAboutAccount: true,
    async handedOver(db, queued) {
      await composer.handedOver?.(db, queued);
      await noteMail(db, { userId: queued.userId, purpose: SHOWN_AS[purpose], state: 'handedOver' }, now());
    },
    async givenUp(db, queued) {
      await noteMail(db, { userId: queued.userId, purpose: SHOWN_AS[purpose], state: 'failed' }, now());
    },
  }));
}
