// npm run security: writes docs/security.md and docs/limits.md from the tables that the product and its tests rest on.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeLimitsPage } from '../tests/support/security/limits-page.ts';
import { writeSecurityPage } from '../tests/support/security/page.ts';

const DOCS = path.join(path.dirname(import.meta.dirname), 'docs');
const FILE = path.join(DOCS, 'security.md');

writeFileSync(FILE, writeSecurityPage(readFileSync(FILE, 'utf8')));
writeFileSync(path.join(DOCS, 'limits.md'), writeLimitsPage());
process.stdout.write('docs/security.md and docs/limits.md are written.\n');
