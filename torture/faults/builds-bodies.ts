// Holds every body until it is whole and builds what it says, used or not, without a look at how deep it is nested.
import { replaceIn } from './replace-in.ts';

replaceIn(
  '/serve/json-body.ts',
  'check.push(piece);\n      if (!isIgnored) held.push(piece);',
  'held.push(piece);',
  'check.end();\n      if (isIgnored) return check.isObject ? {} : null;',
  '',
);
