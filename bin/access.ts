// npm run access: writes docs/access.md from the table of who may do what.
import { writeFileSync } from 'node:fs';
import { renderAccessPage } from '../tests/support/access/page.ts';

writeFileSync(new URL('../docs/access.md', import.meta.url), renderAccessPage());
console.log('docs/access.md is written.');
