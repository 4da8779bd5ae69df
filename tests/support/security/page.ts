import { IPV6_TIERS } from '../../../src/server/limits/addresses.ts';
import { LIMITS, REQUESTS_PER_MINUTE } from '../../../src/server/limits/limits.ts';
import { NOT_APPLICABLE, OPERATORS, REQUIREMENTS, type Requirement } from './asvs.ts';
import { ATTACKS } from './attacks.ts';

const BEGIN = '<!-- Written by npm run security: -->';
const END = '<!-- until here. -->';

const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

function shown({ shownBy, exception }: Requirement): string {
  return shownBy ? `${shownBy.file}: ${shownBy.title}` : `**exception** ${exception}`;
}

const ofLevel = (level: number) => REQUIREMENTS.filter((requirement) => requirement.level === level).length;

function windowOf(milliseconds: number): string {
  const minutes = milliseconds / 60_000;
  if (minutes < 60) return `${minutes} min`;
  return minutes < 24 * 60 ? `${minutes / 60} h` : `${minutes / 60 / 24} d`;
}

const TIERS = IPV6_TIERS.map(({ prefix, times }) => `/${prefix}${times === 1 ? '' : `, ${times} times as often`}`);

function writeTables(): string {
  const exceptions = REQUIREMENTS.filter(({ exception }) => exception !== undefined);
  return [
    `${REQUIREMENTS.length} requirements apply: ${ofLevel(1)} of level 1, ${ofLevel(2)} of level 2. ${REQUIREMENTS.length - exceptions.length} are shown by a test, ${exceptions.length} are dated exceptions.`,
    '',
    line(['id', 'level', 'asked', 'answered by', 'shown by']),
    line(['---', '---', '---', '---', '---']),
    ...REQUIREMENTS.map((one) => line([one.id, String(one.level), one.asked, one.answer, shown(one)])),
    '',
    `Duties of whoever runs it (docs/deployment.md): ${OPERATORS.join(', ')}.`,
    '',
    'Not applicable:',
    '',
    ...Object.entries(NOT_APPLICABLE).map(([ids, reason]) => `- ${ids}: ${reason}`),
    '',
    '## Attacks',
    '',
    'Each of these once worked. Its test makes the attack.',
    '',
    line(['attack', 'what ends it', 'shown by']),
    line(['---', '---', '---']),
    ...ATTACKS.map(({ attack, defence, shownBy }) => line([attack, defence, `${shownBy.file}: ${shownBy.title}`])),
    '',
    '## Limits',
    '',
    'Counted in the database, so that processes share them; each ends in a 429 with `Retry-After`. `RATE_LIMIT=off` lifts',
    'those by address, by user and in all, for load tests; those by account, by mailbox and of the site stay. A mailbox',
    'counts in lower case and without `+tag`. Mails count when they are handed over. The last of an account’s mails in an',
    'hour is for word that its password was changed; only the first reset of the hour may take it. An IPv6 address counts',
    `with each block that it lies in: ${TIERS.join(', ')}.`,
    '',
    line(['limit', 'counted by', 'at most', 'within']),
    line(['---', '---', '---:', '---:']),
    ...Object.values(LIMITS).map(({ name, by, max, windowMs }) => line([name, by, String(max), windowOf(windowMs)])),
    line(['requests', 'address, in the memory of each process', String(REQUESTS_PER_MINUTE), '1 min']),
  ].join('\n');
}

/** The page with its generated part made anew. @throws when it has no such part */
export function writeSecurityPage(page: string): string {
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from < 0 || to < from) throw new Error('docs/security.md has lost the marks around its generated part.');
  return `${page.slice(0, from + BEGIN.length)}\n\n${writeTables()}\n\n${page.slice(to)}`;
}
