// node --import: a control of the overload run, the product without the refusing of what it cannot serve.
import { registerHooks } from 'node:module';
import { replaceIn } from './replace.mjs';

registerHooks({ load: replaceIn('/http/front.ts', 'else admission.admit(', 'else handler(') });
