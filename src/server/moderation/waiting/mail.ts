import { PAGES, type Page } from '../../../contract/pages.ts';
import type { Database } from '../../database/database.ts';
import type { Milliseconds } from '../../database/tables.ts';
import type { Composers } from '../../mail/composers.ts';
import { type Site, writeLetter } from '../../mail/letter.ts';
import type { DelayedWork } from '../../mail/outbox.ts';
import { insertMail } from '../../mail/queries.ts';
import {
  countOpenDecisions,
  findAdminMailbox,
  findLastNotification,
  findNewestOpenRequest,
  listAdminIds,
  recordNotification,
} from './queries.ts';

/** The purpose of the mail that tells admins what they have to decide. */
export type AdminMailPurpose = 'waiting';

/** The shortest time between two notifications. */
const NOTIFY_EVERY_MS = 24 * 60 * 60_000;

/**
 * Notifies every admin that there is something to decide: soon after the first item, then at most once a day and only
 * if something was added since. The outbox runs it, so that another process continues if this one ends.
 */
export function createAdminMailWork({ database, now }: { database: Database; now: () => Milliseconds }): DelayedWork {
  return {
    async doNext() {
      const last = await findLastNotification(database.read);
      const before = now() - NOTIFY_EVERY_MS;
      if (last !== undefined && last > before) return false;
      const newest = await findNewestOpenRequest(database.read);
      if (newest === undefined || newest <= (last ?? 0)) return false;
      return database.write(async (db) => {
        if (!(await recordNotification(db, before, now()))) return false;
        const purpose: AdminMailPurpose = 'waiting';
        for (const userId of await listAdminIds(db)) await insertMail(db, { purpose, userId }, now());
        return true;
      });
    },
  };
}

/** Composes the mail to admins. It has only counts and links, because others may see a mail. */
export function createAdminMailComposers(tools: Site): Composers<AdminMailPurpose> {
  const lineOf = (count: number, what: string, { path }: Page) =>
    count > 0 ? [`${count} ${what}:\n${tools.publicUrl(path)}`] : [];
  return {
    waiting: {
      async compose(db, { userId }) {
        const to = await findAdminMailbox(db, userId);
        const { reviews, proposals } = await countOpenDecisions(db);
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
