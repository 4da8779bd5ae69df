import { PAGES, type Page } from '../../../contract/pages.ts';
import type { Database } from '../../database/database.ts';
import type { Milliseconds } from '../../database/tables.ts';
import type { Composers } from '../../mail/composers.ts';
import { type Site, writeLetter } from '../../mail/letter.ts';
import type { DelayedWork } from '../../mail/outbox.ts';
import { insertMail } from '../../mail/queries.ts';
import {
  countDecisions,
  findAdminMailbox,
  findLastMail,
  findNewestWaiting,
  listAdminIds,
  recordNotification,
} from './queries.ts';

/** The purpose of the mail that says what waits. */
export type WaitingMailPurpose = 'waiting';
const WAITING: WaitingMailPurpose = 'waiting';

/** How often admins are notified at most. */
const EVERY_MS = 24 * 60 * 60_000;

/**
 * Notifies every admin that something waits for a decision: soon after the first item, then at most once a day and only
 * if something was added since. The outbox runs it, so that another process continues if this one ends.
 */
export function createWaitingWork({ database, now }: { database: Database; now: () => Milliseconds }): DelayedWork {
  return {
    async doNext() {
      const last = await findLastMail(database.read);
      const before = now() - EVERY_MS;
      if (last !== undefined && last > before) return false;
      const newest = await findNewestWaiting(database.read);
      if (newest === undefined || newest <= (last ?? 0)) return false;
      return database.write(async (db) => {
        if (!(await recordNotification(db, before, now()))) return false;
        for (const userId of await listAdminIds(db)) await insertMail(db, { purpose: WAITING, userId }, now());
        return true;
      });
    },
    // No time is known in advance: `doNext` runs when the outbox looks for due work, every 15 s.
    findNextDue: async () => undefined,
  };
}

/** Composes the mail that says what waits. It has only counts and links, because mails are read anywhere. */
export function createWaitingComposers(tools: Site): Composers<WaitingMailPurpose> {
  const lineOf = (count: number, what: string, { path }: Page) =>
    count > 0 ? [`${count} ${what}:\n${tools.publicUrl(path)}`] : [];
  return {
    [WAITING]: {
      async compose(db, { userId }) {
        const to = await findAdminMailbox(db, userId);
        const { reviews, proposals } = await countDecisions(db);
        const lines = [
          ...lineOf(reviews, reviews === 1 ? 'review to decide about' : 'reviews to decide about', PAGES.moderation),
          ...lineOf(proposals, proposals === 1 ? 'proposal' : 'proposals', PAGES.proposals),
        ];
        if (to === undefined || lines.length === 0) return null;
        return writeLetter(tools, to, {
          subject: 'something waits for a decision',
          greeting: 'Hello,',
          paragraphs: [
            'This waits for an admin:',
            ...lines,
            'There is one such mail a day at most. The setting ADMIN_MAIL=off ends them.',
          ],
        });
      },
    },
  };
}
