// npm run access: writes docs/access.md from the table of who may do what.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { renderAccessPage } from '../tests/support/access/page.ts';
import { readCommandLine } from './command-line.ts';

readCommandLine('npm run access', [], (args) => parseArgs({ args }));
writeFileSync(new URL('../docs/access.md', import.meta.url), renderAccessPage());
console.log('docs/access.md is written.');
