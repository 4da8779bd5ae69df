// Leaves it to Node how long the head of a request may take: a minute.
import { replaceIn } from './replace-in.ts';

replaceIn('/http/front.ts', 'createServer(TIMEOUTS, answer)', 'createServer(answer)');
