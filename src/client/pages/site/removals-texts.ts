import type { AnswerOf } from '../../../contract/call.ts';
import type { getRemovalTotals } from '../../../contract/removals.ts';
import { numberText } from '../../format.ts';

type StarTotal = AnswerOf<typeof getRemovalTotals>['stars'][number];
type Counts = Pick<StarTotal, 'posted' | 'hidden'>;

const PERCENT = new Intl.NumberFormat('en-US', { style: 'percent', maximumSignificantDigits: 2 });

/** With fewer reviews, a percentage would suggest a precision that the data does not have. */
const PERCENT_FROM = 100;

const countsText = ({ posted, hidden }: Counts) => `${numberText(hidden)} of ${numberText(posted)}`;

/** "2.5%" of the posted reviews, or "1 of 33" if there are few; a dash if there are none. */
export function shareOf(sum: Counts): string {
  if (sum.posted === 0) return '–';
  return sum.posted < PERCENT_FROM ? countsText(sum) : PERCENT.format(sum.hidden / sum.posted);
}

/** One sentence that compares low ratings with high ones: by percentages, or by counts if there are few of either. */
export function comparisonSentence(totals: readonly StarTotal[]): string {
  const sumOf = (includes: (stars: number) => boolean) =>
    totals
      .filter(({ stars }) => includes(stars))
      .reduce<Counts>((sum, { posted, hidden }) => ({ posted: sum.posted + posted, hidden: sum.hidden + hidden }), {
        posted: 0,
        hidden: 0,
      });
  const low = sumOf((stars) => stars <= 2);
  const high = sumOf((stars) => stars >= 4);
  if (totals.every(({ hidden }) => hidden === 0)) return 'No review is hidden now.';
  const areFew = Math.min(low.posted, high.posted) < PERCENT_FROM;
  const share = areFew ? countsText : shareOf;
  const verb = ({ hidden }: Counts) => (areFew && hidden === 1 ? 'is hidden' : 'are hidden');
  const ofHigh = high.posted === 0 ? 'none has four or five' : `of those with four or five, ${share(high)}`;
  if (low.posted > 0) return `Of the reviews with one or two stars, ${share(low)} ${verb(low)}; ${ofHigh}.`;
  return `No review has one or two stars; ${high.posted === 0 ? ofHigh : `${ofHigh} ${verb(high)}`}.`;
}

/** A script that recomputes the hash chain from the public answers alone. docs/moderation.md has the same text. */
export const removalsScript = (origin: string) => `import { hash } from 'node:crypto';
const lines = [];
for (let path = '/auth/getRemovals'; path; ) {
  const answer = await fetch('${origin}' + path);
  lines.unshift(...(await answer.json()).reverse());
  path = /<(.*)>/.exec(answer.headers.get('link'))?.[1];
}
for (let i = 0, last = ''; i < lines.length; last = lines[i++].hash) {
  const { id, at, act, reason, stars, category } = lines[i];
  const right = hash('sha256', \`\${last}\\n\${[id, at, act, reason, stars, category].join('|')}\`);
  if (id !== i + 1 || right !== lines[i].hash) throw new Error(\`Line \${i + 1} is not as it was written.\`);
}
console.log(\`\${lines.length} lines, each as it was written.\`);
`;
