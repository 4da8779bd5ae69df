import type { AccountMail } from '../../../contract/user-state.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { type Composers, mapComposers } from '../../mail/composers.ts';
import type { AccountMailPurpose } from '../mail-quotas.ts';
import type { UserMailPurpose } from '../users/mails.ts';
import { recordMail } from './queries.ts';

/** The mails whose outcome is recorded. */
type RecordedPurpose = AccountMailPurpose | UserMailPurpose;

/** What each mail is called in the answers to admins and owners. */
export const MAIL_NAMES: Readonly<Record<RecordedPurpose, AccountMail>> = {
  verify: 'signup',
  reset: 'reset',
  'password-changed': 'changed',
  email: 'email',
  'email-asked': 'email',
  'email-changed': 'email',
  'user-blocked': 'blocked',
};

/** Adds to composers of mails about accounts that the outcome of each mail is recorded. */
export function recordMailOutcomes<Purpose extends RecordedPurpose>(
  composers: Composers<Purpose>,
  now: () => Milliseconds,
): Composers<Purpose> {
  return mapComposers(composers, (composer, purpose) => ({
    ...composer,
    isAboutAccount: true,
    async handedOver(db, queued) {
      await composer.handedOver?.(db, queued);
      await recordMail(db, { userId: queued.userId, purpose: MAIL_NAMES[purpose], state: 'handedOver' }, now());
    },
    async givenUp(db, queued) {
      await recordMail(db, { userId: queued.userId, purpose: MAIL_NAMES[purpose], state: 'failed' }, now());
    },
  }));
}
