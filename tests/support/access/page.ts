import { ACCESS_MATRIX, IDENTITIES, type Identity } from './matrix.ts';

const NAMES = Object.keys(IDENTITIES) as Identity[];

function statusRow({ call, status, fields }: (typeof ACCESS_MATRIX)[number]): string {
  const answer = fields === '' ? '' : fields.replaceAll(/[[\]]/g, (bracket) => `\\${bracket}`);
  return `| \`${call}\` | ${NAMES.map((name) => status[name]).join(' | ')} | ${answer} |`;
}

/** The table of who may do what as a page: docs/access.md. */
export function renderAccessPage(): string {
  return [
    '# Who may do what',
    '',
    `Each of the ${ACCESS_MATRIX.length} calls, what each of ${NAMES.length} identities is answered when all ask the very same thing, and the fields of what those get who may. Written by \`npm run access\` from \`tests/support/access/matrix.ts\`, a table kept by hand; \`tests/api/access-matrix.test.ts\` asks every cell on SQLite and PostgreSQL.`,
    '',
    "The rule: everyone reads schools, entries, reviews and rankings; those signed in write reviews, propose what is missing and keep a profile, and change or see nobody's but their own; admins do the rest, and may delete any review. What a user may do is read from the database at each call, whatever their token claims.",
    '',
    '| identity | who |',
    '|---|---|',
    ...NAMES.map((name) => `| ${name} | ${IDENTITIES[name]} |`),
    '',
    `| call | ${NAMES.join(' | ')} | fields of the answer |`,
    `|---|${NAMES.map(() => '---').join('|')}|---|`,
    ...ACCESS_MATRIX.map(statusRow),
    '',
  ].join('\n');
}
