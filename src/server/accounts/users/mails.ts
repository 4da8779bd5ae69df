import type { Composers } from '../../mail/composers.ts';
import { greet, type Site, writeLetter } from '../../mail/letter.ts';
import { findUser } from '../queries.ts';

/** The purposes of mails about decisions on an account. */
export type UserMailPurpose = 'user-blocked';

/** Composes the mails about decisions on accounts. */
export function createUserMails(site: Site): Composers<UserMailPurpose> {
  return {
    'user-blocked': {
      async compose(db, { userId }) {
        const user = await findUser(db, userId);
        // Not sent if the user was unblocked in the meantime, or if the mailbox may belong to somebody who never signed
        // up.
        if (!user || user.blocked_reason === null || user.verified_at === null) return null;
        return writeLetter(site, user.email, {
          subject: 'your account was blocked',
          greeting: greet(user),
          paragraphs: [
            'Your account was blocked: you cannot log in any more. Your reviews stay.',
            `Reason: ${user.blocked_reason}`,
            `If you think that this is a mistake, please write to ${site.supportEmail}.`,
          ],
        });
      },
    },
  };
}
