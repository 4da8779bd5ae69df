// npm run security: writes docs/limits.md from the tables that the product and its tests rest on.
import { writeFileSync } from 'node:fs';
import { writeLimitsPage } from '../tests/support/security/limits-page.ts';

writeFileSync(new URL('../docs/limits.md', import.meta.url), writeLimitsPage());
console.log('docs/limits.md is written.');
