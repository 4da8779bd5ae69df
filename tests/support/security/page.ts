import { NOT_APPLICABLE, OPERATORS, REQUIREMENTS, type Requirement } from './asvs.ts';
import { ATTACKS } from './attacks.ts';

const BEGIN = '<!-- Written by npm run security: -->';
const END = '<!-- until here. -->';

/** A row of a table in Markdown. */
export const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

function shown({ shownBy, exception }: Requirement): string {
  return shownBy ? `${shownBy.file}: ${shownBy.title}` : `**exception** ${exception}`;
}

const ofLevel = (level: number) => REQUIREMENTS.filter((requirement) => requirement.level === level).length;

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
    'How often something may happen, and how much there may be at once: [limits.md](limits.md).',
  ].join('\n');
}

/** The page with its generated part replaced. @throws when it has no such part */
export function writeSecurityPage(page: string): string {
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from < 0 || to < from) throw new Error('docs/security.md has lost the marks around its generated part.');
  return `${page.slice(0, from + BEGIN.length)}\n\n${writeTables()}\n\n${page.slice(to)}`;
}
