// Takes every mail that failed off the queue, as if the mail server had refused it for good.
import { replaceIn } from './replace-in.ts';

replaceIn('/mail/plan.ts', 'if (isPermanent(failure))', 'if (true)');
