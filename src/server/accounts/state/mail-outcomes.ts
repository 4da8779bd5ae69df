import type { Milliseconds } from '../../database/tables.ts';
import { type Composers, mapComposers } from '../../mail/composers.ts';
import { type RecordedPurpose, recordMail } from './queries.ts';

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
      await recordMail(db, queued.userId, purpose, 'handedOver', now());
    },
    async givenUp(db, queued) {
      await recordMail(db, queued.userId, purpose, 'failed', now());
    },
  }));
}
