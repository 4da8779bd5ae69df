// npm run security: writes docs/limits.md from the tables that the product and its tests rest on.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { writeLimitsPage } from '../tests/support/security/limits-page.ts';
import { readCommandLine } from './command-line.ts';

readCommandLine('npm run security', [], (args) => parseArgs({ args }));
writeFileSync(new URL('../docs/limits.md', import.meta.url), writeLimitsPage());
console.log('docs/limits.md is written.');
