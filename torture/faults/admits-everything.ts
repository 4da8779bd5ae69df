// Serves whatever comes in, however late, where each lookup takes 2 ms.
import './costly-reads.ts';
import { replaceIn } from './replace-in.ts';

replaceIn('/http/front.ts', 'else admission.admit(', 'else handler(');
