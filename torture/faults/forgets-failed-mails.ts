// Takes every mail that failed off the queue, as if the mail server had refused it for good.
import type { planNextTry } from '../../src/server/mail/plan.ts';
import { wrapFunction } from './wrap-function.ts';

const REFUSED_FOR_GOOD = { responseCode: 550, command: 'RCPT TO' };

wrapFunction<typeof planNextTry>(
  'mail/plan.ts',
  'planNextTry',
  (plan) =>
    (_failure, ...rest) =>
      plan(REFUSED_FOR_GOOD, ...rest),
);
