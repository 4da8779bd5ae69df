// A session and a code are what the clock says, also after it was set back.
import './steps-clock.ts';
import { replaceIn } from './replace-in.ts';

replaceIn('/accounts/sessions.ts', 'session.used_at - time > CLOCK_SKEW_MAX', 'false');
replaceIn('/accounts/passcodes.ts', 'const expiresBefore = now +', 'const expiresBefore = 2 * now +');
