import { findCategory } from '../../../contract/categories.ts';
import { REASONS } from '../../../contract/reasons.ts';
import { getRemovals, getRemovalTotals, type Removal } from '../../../contract/removals.ts';
import { starLabel } from '../../../contract/stars.ts';
import { DisclosureCard } from '../../components/feedback/disclosure-card.tsx';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { Loaded, ScrollRegion } from '../../components/list/list-states.tsx';
import { PagedList } from '../../components/list/paged-list.tsx';
import { dateText, numberText } from '../../format.ts';
import { useDeclaredPagedRead, useDeclaredRead } from '../../page.ts';
import { comparisonSentence, removalsScript, shareOf } from './removals-texts.ts';

const categoryLabel = (kind: string) => findCategory(kind)?.label ?? kind;

/** Shows all removals, and whether low ratings are removed more often. */
export function Component() {
  return (
    <div className="page grid grid-cols-[minmax(0,48rem)] gap-8 py-10">
      <PageHeading subtitle="Are bad reviews removed more often?">Removed reviews</PageHeading>
      <Totals />
      <section aria-labelledby="removal-list" className="grid gap-3">
        <h2 id="removal-list" className="text-xl">
          Every removal, newest first
        </h2>
        <RemovalList />
      </section>
      <CheckYourself />
    </div>
  );
}

/** Where large text leaves no room for four columns, the stars stand above the figures. */
const NARROW_ROW = 'max-[22rem]:grid max-[22rem]:grid-cols-3';

function Totals() {
  return (
    <Loaded query={useDeclaredRead(getRemovalTotals)} failed="The numbers could not be loaded.">
      {({ stars }) => (
        <section aria-label="Hidden reviews by stars" className="grid gap-3">
          <table className="w-full border-collapse text-left tabular-nums max-[22rem]:block max-[22rem]:text-sm">
            <thead className="text-sm text-ink-soft max-[22rem]:block">
              <tr className={`border-b border-line-strong ${NARROW_ROW}`}>
                <th scope="col" className="py-2 pr-3 font-semibold max-[22rem]:sr-only">
                  Stars
                </th>
                {['Posted', 'Hidden', 'Share'].map((head) => (
                  <th key={head} scope="col" className="py-2 pl-3 text-right max-[22rem]:pl-0 font-semibold">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="max-[22rem]:block">
              {stars.toReversed().map((row) => (
                <tr key={row.stars} className={`border-b border-line ${NARROW_ROW}`}>
                  <th scope="row" className="col-span-3 py-2 pr-3 font-normal max-[22rem]:pb-0">
                    {starLabel(row.stars)}
                  </th>
                  <td className="py-2 pl-3 text-right max-[22rem]:pl-0">{numberText(row.posted)}</td>
                  <td className="py-2 pl-3 text-right max-[22rem]:pl-0">{numberText(row.hidden)}</td>
                  <td className="py-2 pl-3 text-right max-[22rem]:pl-0">{shareOf(row)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="text-lg">{comparisonSentence(stars)}</p>
        </section>
      )}
    </Loaded>
  );
}

function RemovalList() {
  return (
    <PagedList
      query={useDeclaredPagedRead(getRemovals)}
      empty="No review has been removed."
      failed="The list could not be loaded."
    >
      {(lines) => (
        <ul className="border-t border-line">
          {lines.map((line) => (
            <RemovalRow key={line.id} line={line} />
          ))}
        </ul>
      )}
    </PagedList>
  );
}

function RemovalRow({ line: { at, act, reason, stars, category } }: { line: Removal }) {
  return (
    <li className="flex items-baseline justify-between gap-x-4 border-b border-line py-3">
      <time dateTime={at} className="order-last text-sm whitespace-nowrap text-ink-soft tabular-nums">
        {dateText(at)}
      </time>
      <p>
        <strong>{act === 'hidden' ? 'Hidden' : 'Restored'}</strong>: {starLabel(stars)}, {categoryLabel(category)}
        <span className="block text-sm text-ink-soft">
          {act === 'hidden' ? REASONS[reason] : `Had been hidden: ${REASONS[reason]}`}
        </span>
      </p>
    </li>
  );
}

/** Explains how to check that no line was changed or deleted. */
function CheckYourself() {
  const newest = useDeclaredPagedRead(getRemovals).data?.[0];
  return (
    <DisclosureCard summary="Check this list yourself">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <p className="max-w-prose">
          Each line carries a hash of itself and of the line before. Whoever changes one line, or takes one out, would
          have to change all that follow. Save this as <code>check.mjs</code> and run it with Node.js; keep the last
          hash to compare it another day.
        </p>
        <ScrollRegion aria-label="check.mjs" className="overflow-x-auto rounded-sm bg-sunken p-4 text-sm">
          <pre>
            <code>{removalsScript('https://…')}</code>
          </pre>
        </ScrollRegion>
        {newest && (
          <p className="text-sm">
            The hash of the newest line, number {newest.id}: <code className="block wrap-anywhere">{newest.hash}</code>
          </p>
        )}
      </div>
    </DisclosureCard>
  );
}
