// npm run security: writes docs/security.md from the tables that the product and its tests rest on.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeSecurityPage } from '../tests/support/security/page.ts';

const FILE = path.join(path.dirname(import.meta.dirname), 'docs/security.md');

writeFileSync(FILE, writeSecurityPage(readFileSync(FILE, 'utf8')));
process.stdout.write('docs/security.md is written.\n');
