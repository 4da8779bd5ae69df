import type { ReactNode } from 'react';
import { BURST_MINUTES, BURST_REVIEWS, NEW_ACCOUNT_DAYS } from '../../../contract/bursts.ts';
import {
  CHANGE_MIN,
  COVERED_FROM,
  LEAD_ERRORS,
  MANY_REVIEWS,
  PERIOD_REVIEWS_MIN,
  PRIOR_WEIGHT,
  RECENT_MONTHS,
  SPREAD_PRIOR,
  weighRatings,
} from '../../../contract/scores.ts';
import { PageHeading } from '../../components/layout/page-heading.tsx';

/** The numbers of the example for weighted means. */
const CATEGORY_MEAN = 4;
const ONE_REVIEW = { count: 1, sum: 5 };
const TWENTY_REVIEWS = { count: 20, sum: 96 };

/** "(10 × 4 + 5) ÷ (10 + 1) = 4.09". */
function weighing({ count, sum }: { count: number; sum: number }): string {
  const result = weighRatings({ count, sum }, CATEGORY_MEAN).toFixed(2);
  return `(${PRIOR_WEIGHT} × ${CATEGORY_MEAN} + ${sum}) ÷ (${PRIOR_WEIGHT} + ${count}) = ${result}`;
}

interface Section {
  /** The fragment of the address, to which the figures of other pages link. */
  id: string;
  heading: string;
  text: ReactNode;
  /** For readers who want to compute it. */
  formula: string;
  /** An example with numbers, beside the text where there is room. */
  example: ReactNode;
}

const SECTIONS: readonly Section[] = [
  {
    id: 'average',
    heading: 'The average',
    text: (
      <p>
        An average is the plain mean of all reviews that can be read. Everybody counts the same, and nobody can pay for
        anything. The number of reviews always stands beside it, because an average of two says little.
      </p>
    ),
    formula: 'average = sum of the stars ÷ number of reviews',
    example: <p>Three reviews give 5, 4 and 3.5 stars: (5 + 4 + 3.5) ÷ 3 = 4.17, shown as 4.2 · 3 reviews.</p>,
  },
  {
    id: 'then-and-now',
    heading: 'Then and now',
    text: (
      <>
        <p>
          Schools change, so reviews of the last {RECENT_MONTHS} months also have a mean of their own. It is compared
          with what was written before when there are at least {PERIOD_REVIEWS_MIN} reviews on either side.
        </p>
        <p>
          On a school’s page each category has a window. It is lit when the category is covered, which counts from{' '}
          {COVERED_FROM} reviews in {RECENT_MONTHS} months; dim when there are some reviews; dark when there are none.
        </p>
      </>
    ),
    formula: `up or down: the mean of the last ${RECENT_MONTHS} months and the mean before differ by at least ${CHANGE_MIN}; steady: by less`,
    example: (
      <>
        <p>Last {RECENT_MONTHS} months: 4.2 (12 reviews). Before: 3.1 (30 reviews). 4.2 − 3.1 = 1.1: up.</p>
        <p className="mt-2">Two recent reviews of 5.0: too few recent reviews to tell.</p>
      </>
    ),
  },
  {
    id: 'weighing',
    heading: 'Weighing by number',
    text: (
      <p>
        A single review of five stars should not beat twenty of nearly five. Weighed by number, each school gets{' '}
        {PRIOR_WEIGHT} more reviews that give the mean of its category. A school with few reviews stays near that mean;
        one with many stands on its own. Fewer than {MANY_REVIEWS} are called “few reviews”.
      </p>
    ),
    formula: `weighed = (${PRIOR_WEIGHT} × mean of the category + sum of the stars) ÷ (${PRIOR_WEIGHT} + number of reviews)`,
    example: (
      <>
        <p>In a category with a mean of {CATEGORY_MEAN.toFixed(1)}, one review of 5.0:</p>
        <p>{weighing(ONE_REVIEW)}</p>
        <p className="mt-2">Twenty reviews of 4.8:</p>
        <p>{weighing(TWENTY_REVIEWS)}</p>
        <p className="mt-2">By plain average the first would lead; weighed, the second does.</p>
      </>
    ),
  },
  {
    id: 'leading',
    heading: 'Who leads a comparison',
    text: (
      <p>
        We name a leader only when chance is an unlikely reason for the difference. A school needs at least{' '}
        {MANY_REVIEWS} reviews in a category, and must be ahead of every other by more than the spread of the reviews
        explains.
      </p>
    ),
    formula: `a leads b: meanA − meanB > ${LEAD_ERRORS} × √(vA ÷ nA + vB ÷ nB), with v = (sum of (stars − mean)² + ${SPREAD_PRIOR}) ÷ (n + ${SPREAD_PRIOR})`,
    example: (
      <>
        <p>4.6 of 60 reviews against 3.9 of 50: the first leads.</p>
        <p className="mt-2">4.3 of 40 against 4.2 of 40: too close to call.</p>
        <p className="mt-2">4.3 of 4 against 4.2 of 3: too few reviews to say.</p>
      </>
    ),
  },
  {
    id: 'left-out',
    heading: 'What is left out',
    text: (
      <p>
        Reviews that were hidden count nowhere. When many reviews of one entry arrive at once from new accounts, they
        are shown, but the weighted leaderboard leaves them out until an admin has looked at them.
      </p>
    ),
    formula: `a burst: ${BURST_REVIEWS} reviews of one entry within ${BURST_MINUTES} minutes, from accounts younger than ${NEW_ACCOUNT_DAYS} days`,
    example: <p>Twelve new accounts praise one hall within eight minutes: it gains nothing in the weighted order.</p>,
  },
];

export function Component() {
  return (
    <article className="page py-10">
      <PageHeading className="mb-8" subtitle="Every figure on these pages can be checked. Here is how.">
        How scores work
      </PageHeading>
      {SECTIONS.map(({ id, heading, text, formula, example }) => (
        <section
          key={id}
          aria-labelledby={id}
          className="grid gap-x-16 gap-y-4 border-t border-line py-8 lg:grid-cols-[38rem_minmax(0,1fr)]"
        >
          <div className="grid gap-3">
            <h2 id={id} className="text-xl">
              {heading}
            </h2>
            {text}
            <details>
              <summary className="text-link inline-flex min-h-touch items-center text-sm">Formula</summary>
              <p className="font-serif wrap-anywhere">{formula}</p>
            </details>
          </div>
          <div className="self-start border-l-2 border-accent pl-4 text-ink-soft tabular-nums lg:mt-10">{example}</div>
        </section>
      ))}
    </article>
  );
}
