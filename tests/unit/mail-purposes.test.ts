import { expect, test } from 'vitest';
import type { AccountTools } from '../../src/server/accounts/account-tools.ts';
import type { AccountMailPurpose } from '../../src/server/accounts/mail-quotas.ts';
import type { Composer, Composers } from '../../src/server/mail/composers.ts';
import { createOutbox, type Outbox } from '../../src/server/mail/outbox.ts';

const composer: Composer = { compose: async () => null };
type Tools = Parameters<typeof createOutbox>[0];

/** Never runs. It does not compile if an error that is expected below does not occur. */
function compileOnly(rest: Omit<Tools, 'composers'>, all: Composers<AccountMailPurpose>): void {
  const accounts: Outbox<AccountMailPurpose> = createOutbox({ ...rest, composers: all });
  const outboxOfMore: AccountTools['outbox'] = createOutbox({
    ...rest,
    composers: { ...all, 'review-hidden': composer },
  });
  const { database } = rest;
  void database.write((db, commit) => accounts.queue(db, commit, { purpose: 'verify', userId: 1 }));
  // @ts-expect-error: nobody composes this purpose
  void database.write((db, commit) => accounts.queue(db, commit, { purpose: 'review-hidden', userId: 1 }));
  // @ts-expect-error: a domain that queues more purposes than are composed
  const wants: Outbox<AccountMailPurpose | 'review-hidden'> = accounts;
  // @ts-expect-error: a purpose of the domain without a composer
  const lacks: Composers<AccountMailPurpose> = { verify: composer, reset: composer };
  void [outboxOfMore, wants, lacks];
}

test('a purpose that nobody composes does not compile', () => {
  expect(compileOnly).toBeTypeOf('function');
});
